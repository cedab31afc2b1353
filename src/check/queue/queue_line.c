/* queue_line.c - see queue_line.h. */
#include "queue_line.h"

#include "base/memory.h"
#include "check/input/monitor_input.h"
#include <assert.h>
#include <string.h>

enum { FEW = 4 };

bool plumb_check_line_init(struct plumb_check_line *l,
                           struct plumb_check_live_numbers *numbers,
                           struct plumb_budget *budget)
{
    *l = (struct plumb_check_line){
        .budget = budget, .numbers = numbers, .items = 1, .takers = 2
    };
    if (!PLUMB_GROW(budget, l->item, l->item_capacity, FEW) ||
        !PLUMB_GROW(budget, l->taker, l->taker_capacity, FEW))
        return false;
    l->item[0] = (struct plumb_check_line_item){ .deadline = UINT64_MAX };
    for (uint32_t i = 0; i < 2; i++)
        l->taker[i] = (struct plumb_check_line_taker){ .line = { i, i },
                                                       .live = { i, i } };
    return true;
}

void plumb_check_line_release(struct plumb_check_line *l)
{
    PLUMB_RELEASE(l->budget, l->item, l->item_capacity);
    PLUMB_RELEASE(l->budget, l->taker, l->taker_capacity);
    PLUMB_RELEASE(l->budget, l->item_of, l->words);
}

/* ---- words ---- */

static size_t slot_of(uint32_t word)
{
    return word == PLUMB_NIL_WORD ? 0 : (size_t)word + 1;
}

uint32_t plumb_check_line_find(const struct plumb_check_line *l, uint32_t word)
{
    const size_t slot = slot_of(word);
    return slot < l->words ? l->item_of[slot] : 0;
}

static bool name(struct plumb_check_line *l, uint32_t word, uint32_t item)
{
    const size_t slot = slot_of(word);
    if (!PLUMB_GROW_ZEROED(l->budget, l->item_of, l->words, slot + 1))
        return false;
    l->item_of[slot] = item;
    return true;
}

void plumb_check_line_unname(struct plumb_check_line *l, uint32_t item)
{
    struct plumb_check_line_item *const x = l->item + item;
    assert(plumb_check_line_find(l, x->word) == item);
    l->item_of[slot_of(x->word)] = 0;
    x->known = false;
    if (x->word != PLUMB_NIL_WORD)
        plumb_check_live_forget(l->numbers, x->word);
}

/* ---- items ---- */

static uint32_t new_item(struct plumb_check_line *l)
{
    const uint32_t free = l->free_item;
    if (free) {
        l->free_item = l->item[free].gone.after;
        return free;
    }
    if (!PLUMB_GROW(l->budget, l->item, l->item_capacity, (size_t)l->items + 1))
        return 0;
    return l->items++;
}

uint32_t plumb_check_line_add(struct plumb_check_line *l, uint32_t word,
                              uint64_t call)
{
    const uint32_t item = new_item(l);
    if (!item || !name(l, word, item))
        return 0;
    l->item[item] = (struct plumb_check_line_item){ .call = call,
                                                    .deadline = UINT64_MAX,
                                                    .word = word,
                                                    .adding = true,
                                                    .known = true };
    l->kept++;
    return item;
}

void plumb_check_line_drop(struct plumb_check_line *l, uint32_t item)
{
    struct plumb_check_line_item *const x = l->item + item;
    if (x->adding || x->known)
        return;
    x->gone.after = l->free_item;
    l->free_item = item;
    l->kept--;
}

void plumb_check_line_enter(struct plumb_check_line *l, uint32_t item,
                            uint64_t now)
{
    struct plumb_check_line_item *const x = l->item + item, *const ends =
                                                                l->item;
    x->came = now;
    x->lined = true;
    x->line = (struct plumb_check_line_link){ .before = ends->line.before };
    l->item[x->line.before].line.after = item;
    ends->line.before = item;
    l->inside++;
}

void plumb_check_line_unlink(struct plumb_check_line *l, uint32_t item)
{
    const struct plumb_check_line_link k = l->item[item].line;
    assert(item && l->item[item].lined);
    l->item[k.before].line.after = k.after;
    l->item[k.after].line.before = k.before;
    l->item[item].lined = false;
}

void plumb_check_line_keep(struct plumb_check_line *l, uint32_t item)
{
    const uint32_t last = l->item->gone.before;
    l->item[item].gone = (struct plumb_check_line_link){ .before = last };
    l->item[last].gone.after = item;
    l->item->gone.before = item;
}

void plumb_check_line_unkeep(struct plumb_check_line *l, uint32_t item)
{
    const struct plumb_check_line_link k = l->item[item].gone;
    l->item[k.before].gone.after = k.after;
    l->item[k.after].gone.before = k.before;
}

bool plumb_check_line_is_watched(const struct plumb_check_line *l,
                                 uint32_t item)
{
    const struct plumb_check_line_item *const x = l->item + item;
    uint32_t peek = l->taker[PLUMB_LINE_PEEKS].line.before;
    while (peek != PLUMB_LINE_PEEKS && l->taker[peek].call > x->left)
        peek = l->taker[peek].line.before;
    return peek != PLUMB_LINE_PEEKS && l->taker[peek].call > x->came;
}

void plumb_check_line_owe(struct plumb_check_line *l, uint32_t item,
                          uint64_t deadline)
{
    uint32_t before = l->item->debt.before;
    while (before && l->item[before].deadline > deadline)
        before = l->item[before].debt.before;
    const uint32_t after = l->item[before].debt.after;
    l->item[item].deadline = deadline;
    l->item[item].debt = (struct plumb_check_line_link){ before, after };
    l->item[before].debt.after = item;
    l->item[after].debt.before = item;
}

void plumb_check_line_pay(struct plumb_check_line *l, uint32_t item)
{
    const struct plumb_check_line_link k = l->item[item].debt;
    assert(item && plumb_check_line_owes(l, item));
    l->item[k.before].debt.after = k.after;
    l->item[k.after].debt.before = k.before;
}

/* ---- takers ---- */

static uint32_t new_taker(struct plumb_check_line *l)
{
    const uint32_t free = l->free_taker;
    if (free) {
        l->free_taker = l->taker[free].line.after;
        return free;
    }
    if (!PLUMB_GROW(l->budget, l->taker, l->taker_capacity,
                    (size_t)l->takers + 1))
        return 0;
    return l->takers++;
}

uint32_t plumb_check_line_take(struct plumb_check_line *l, uint32_t list,
                               uint64_t call)
{
    const uint32_t taker = new_taker(l);
    if (!taker)
        return 0;
    struct plumb_check_line_taker *const ends = l->taker + list;
    l->taker[taker] =
        (struct plumb_check_line_taker){ .call = call,
                                         .since = call,
                                         .line = { ends->line.before, list },
                                         .live = { ends->live.before, list } };
    l->taker[ends->line.before].line.after = taker;
    l->taker[ends->live.before].live.after = taker;
    ends->line.before = ends->live.before = taker;
    l->dequeues += list == PLUMB_LINE_DEQUEUES;
    return taker;
}

void plumb_check_line_hang(struct plumb_check_line *l, uint32_t taker)
{
    struct plumb_check_line_link *const k = &l->taker[taker].live;
    l->taker[k->before].live.after = k->after;
    l->taker[k->after].live.before = k->before;
    k->before = k->after = taker;
}

void plumb_check_line_untake(struct plumb_check_line *l, uint32_t list,
                             uint32_t taker)
{
    const struct plumb_check_line_link k = l->taker[taker].line;
    plumb_check_line_hang(l, taker);
    l->taker[k.before].line.after = k.after;
    l->taker[k.after].line.before = k.before;
    l->taker[taker].line.after = l->free_taker;
    l->free_taker = taker;
    l->dequeues -= list == PLUMB_LINE_DEQUEUES;
}

static void call_later(struct plumb_check_line *l, uint32_t list, uint64_t from,
                       uint64_t to)
{
    for (uint32_t i = l->taker[list].line.before;
         i != list && l->taker[i].call > from; i = l->taker[i].line.before)
        if (l->taker[i].call < to)
            l->taker[i].call = to;
}

void plumb_check_line_hold(struct plumb_check_line *l, uint64_t from,
                           uint64_t to)
{
    call_later(l, PLUMB_LINE_DEQUEUES, from, to);
    call_later(l, PLUMB_LINE_PEEKS, from, to);
    for (uint32_t i = l->item->debt.before; i && l->item[i].deadline > from;
         i = l->item[i].debt.before)
        if (l->item[i].deadline < to)
            l->item[i].deadline = from;
    for (uint32_t i = l->item->gone.before; i && l->item[i].left > from;
         i = l->item[i].gone.before)
        if (l->item[i].deadline > from && l->item[i].deadline < to)
            l->item[i].deadline = from;
}
