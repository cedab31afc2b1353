"use strict";
/* report.js - moves through what is in the page.  It shows, hides and marks
   elements, and sets text only by textContent. */
(() => {
    const root = document.documentElement;
    const all = (selector, from = document) =>
        Array.from(from.querySelectorAll(selector));
    root.classList.add("js");

    const findings = all("section.finding").map(section => ({
        section,
        operations: all(".bars .op[id]", section),
        about: section.querySelector(".about"),
        slider: section.querySelector(".slider input"),
        order: all("table.order tr[id]", section),
        steps: all("table.steps tr[id]", section),
        at: 0,
        chosen: null,
    }));
    let current = findings[0];

    /* Where the reader is, in the address. */
    const remember = id => {
        try {
            history.replaceState(null, "", "#" + id);
        } catch (error) {
            /* some browsers refuse that for files */
        }
    };

    const reveal = element => {
        const box = element.closest(".scroll");
        if (!box)
            return;
        const inner = element.getBoundingClientRect();
        const outer = box.getBoundingClientRect();
        const names = box.querySelector(".names");
        const left = outer.left + (names ? names.clientWidth : 0);
        if (inner.left < left)
            box.scrollLeft -= left - inner.left + 20;
        else if (inner.right > outer.right)
            box.scrollLeft += Math.min(inner.right - outer.right + 20,
                                       inner.left - left - 20);
        if (inner.top < outer.top)
            box.scrollTop -= outer.top - inner.top + 20;
        else if (inner.bottom > outer.bottom)
            box.scrollTop += inner.bottom - outer.bottom + 20;
    };

    /* The line of code of a step. */
    const showLine = (f, row) => {
        for (const one of all("tr.here", f.section))
            one.classList.remove("here");
        const link = row.querySelector("td.place a");
        const line = link &&
            document.getElementById(link.getAttribute("href").slice(1));
        if (!line)
            return;
        line.classList.add("here");
        reveal(line);
    };

    /* An operation of the picture, or a row of steps; null: none. */
    const choose = (f, element, focus) => {
        if (f.chosen)
            f.chosen.classList.remove("chosen");
        f.chosen = element;
        current = f;
        if (!element) {
            if (f.about)
                f.about.textContent = "Choose an operation for its details.";
            return;
        }
        element.classList.add("chosen");
        showLine(f, element);
        const title = element.querySelector("title");
        if (title && f.about)
            f.about.textContent = title.textContent;
        remember(element.id);
        reveal(element);
        if (focus) {
            for (const one of [...f.operations, ...f.steps])
                if (one.getAttribute("tabindex") === "0")
                    one.setAttribute("tabindex", "-1");
            element.setAttribute("tabindex", "0");
            element.focus({ preventScroll: true });
        }
    };

    const isShown = element => !element.classList.contains("out") &&
        !element.hidden;

    const chooseNext = (f, by) => {
        const list = f.chosen && f.steps.includes(f.chosen) ? f.steps
            : f.operations.length ? f.operations : f.steps;
        const shown = list.filter(isShown);
        if (!shown.length)
            return;
        const at = shown.indexOf(f.chosen);
        const core = shown.findIndex(e => e.classList.contains("core"));
        const to = at < 0 ? Math.max(core, 0)
            : Math.min(Math.max(at + by, 0), shown.length - 1);
        choose(f, shown[to], true);
    };

    /* ---- the order ---- */

    const textOf = (row, column) => {
        const cell = row.cells[column];
        return cell ? cell.textContent.trim() : "";
    };

    const describe = (f, at) => {
        const row = f.order[at];
        const name = [textOf(row, 1), textOf(row, 2), textOf(row, 3)]
            .filter(text => text).join(" ");
        if (row.classList.contains("refused"))
            return "stuck at " + textOf(f.order[at - 1], 4) + ": " + name +
                " " + textOf(row, 4);
        return at ? name + ": " + textOf(f.order[at - 1], 4) + " → " +
            textOf(row, 4) : "at first: " + textOf(row, 4);
    };

    const move = (f, at, keep) => {
        const most = Number(f.slider.max);
        f.at = Math.min(Math.max(at, 0), most);
        f.slider.value = String(f.at);
        const placed = f.order.length - all("tr.refused", f.section).length;
        const stuck = f.at >= placed;
        for (const one of f.operations)
            one.classList.remove("placed", "now", "refused");
        f.order.forEach((row, i) => {
            const refused = row.classList.contains("refused");
            const now = refused ? stuck : i === f.at;
            row.classList.toggle("now", now);
            const bar = f.operations[Number(row.dataset.o ?? -1)];
            if (bar && refused)
                bar.classList.toggle("refused", stuck);
            else if (bar && i <= f.at)
                bar.classList.add(now ? "now" : "placed");
        });
        const text = describe(f, Math.min(f.at, f.order.length - 1));
        f.section.querySelector(".slider output").textContent = text;
        f.slider.setAttribute("aria-valuetext", text);
        current = f;
        if (keep) {
            remember(f.order[Math.min(f.at, f.order.length - 1)].id);
            reveal(f.order[Math.min(f.at, f.order.length - 1)]);
            const bar = f.section.querySelector(".bars .now, .bars .refused");
            if (bar)
                reveal(bar);
        }
    };

    /* ---- filters ---- */

    const filter = f => {
        const choices = all("[data-filter]", f.section);
        for (const one of f.operations)
            one.classList.toggle("out", choices.some(choice => {
                const name = choice.dataset.filter;
                return choice.type === "checkbox"
                    ? choice.checked && !one.classList.contains(name)
                    : choice.value !== "" &&
                        choice.value !== one.dataset[name];
            }));
        for (const box of all("[data-steps]", f.section))
            for (const row of f.steps)
                if (row.classList.contains(box.dataset.steps))
                    row.hidden = !box.checked;
    };

    /* ---- the axis: the order of events, or time ---- */

    const ARROW = 14, PAD = 8;

    /* A bar from one place to another; the label is left out where it has no
       room. */
    const place = (one, from, to) => {
        const bar = one.querySelector(".bar");
        const label = one.querySelector("text");
        if (bar.tagName === "rect") {
            bar.setAttribute("x", from);
            bar.setAttribute("width", to - from);
        } else {
            const y = Number(one.dataset.y ??=
                /^M[0-9]+ ([0-9]+)H/.exec(bar.getAttribute("d"))[1]);
            const end = Math.max(to - ARROW, from);
            bar.setAttribute("d", `M${from} ${y}H${end}L${to} ${y + 11}` +
                `L${end} ${y + 22}H${from}z`);
        }
        label.setAttribute("x", from + PAD);
        label.classList.toggle("out", to - from < Number(one.dataset.room));
    };

    const scale = (f, timed) => {
        for (const one of f.operations) {
            if (!one.dataset.time)
                return;
            const [from, to] = (timed ? one.dataset.time : one.dataset.order)
                .split(" ").map(Number);
            place(one, from, to);
        }
        if (f.chosen && f.operations.includes(f.chosen))
            reveal(f.chosen);
    };

    /* ---- the rest ---- */

    const copy = button => {
        const code = button.closest(".command").querySelector("code");
        const done = () => {
            button.textContent = "Copied";
            setTimeout(() => { button.textContent = "Copy"; }, 1500);
        };
        const select = () => {
            const range = document.createRange();
            range.selectNodeContents(code);
            getSelection().removeAllRanges();
            getSelection().addRange(range);
            if (document.execCommand("copy"))
                done();
        };
        if (navigator.clipboard)
            navigator.clipboard.writeText(code.textContent).then(done, select);
        else
            select();
    };

    const changeTheme = () => {
        const dark = root.dataset.theme
            ? root.dataset.theme === "dark"
            : matchMedia("(prefers-color-scheme: dark)").matches;
        root.dataset.theme = dark ? "light" : "dark";
    };

    const goTo = (f, by) => {
        const at = findings.indexOf(f) + by;
        const to = findings[Math.min(Math.max(at, 0), findings.length - 1)];
        current = to;
        to.section.scrollIntoView();
        remember(to.section.id);
    };

    /* "#f2-o17", "#f2-at3", "#f2-s9": as remember() wrote it. */
    const open = () => {
        const id = location.hash.slice(1);
        const element = /^f[0-9]+(-[a-z]+[0-9]+)?$/.test(id)
            ? document.getElementById(id) : null;
        const section = element && element.closest("section.finding");
        const f = findings.find(one => one.section === section);
        if (!f)
            return;
        current = f;
        if (f.slider && f.order.includes(element))
            move(f, f.order.indexOf(element), true);
        else if (f.operations.includes(element) || f.steps.includes(element))
            choose(f, element, false);
        element.scrollIntoView({ block: "center", inline: "nearest" });
    };

    const keys = {
        j: f => chooseNext(f, 1),
        k: f => chooseNext(f, -1),
        l: f => f.slider && move(f, f.at + 1, true),
        h: f => f.slider && move(f, f.at - 1, true),
        n: f => goTo(f, 1),
        p: f => goTo(f, -1),
        f: f => {
            const first = f.section.querySelector("[data-filter]");
            if (first)
                first.focus();
        },
        c: f => {
            const button = f.section.querySelector(".copy");
            if (button)
                copy(button);
        },
        d: changeTheme,
        t: f => {
            const axis = f.section.querySelector("[data-axis]");
            if (axis) {
                axis.value = axis.value === "time" ? "order" : "time";
                scale(f, axis.value === "time");
            }
        },
        Escape: f => choose(f, null),
        "?": () => {
            const list = document.getElementById("keys");
            list.open = !list.open;
            list.scrollIntoView();
        },
    };

    addEventListener("keydown", event => {
        const tag = event.target.tagName;
        if (event.ctrlKey || event.altKey || event.metaKey || !current ||
            tag === "SELECT" || (tag === "INPUT" && event.key !== "Escape"))
            return;
        const key = Object.hasOwn(keys, event.key) ? keys[event.key] : null;
        if (!key)
            return;
        event.preventDefault();
        key(current);
    });

    for (const f of findings) {
        f.section.addEventListener("focusin", () => { current = f; });
        f.operations.forEach((one, i) => {
            one.setAttribute("tabindex", i ? "-1" : "0");
            one.setAttribute("role", "button");
            one.addEventListener("click", () => choose(f, one, true));
            one.addEventListener("keydown", event => {
                if (event.key === "Enter" || event.key === " ") {
                    event.preventDefault();
                    choose(f, one, true);
                }
            });
        });
        f.steps.forEach((row, i) => {
            row.setAttribute("tabindex", i ? "-1" : "0");
            row.addEventListener("click", () => choose(f, row, true));
        });
        for (const row of f.slider ? f.order : [])
            row.addEventListener("click",
                () => move(f, f.order.indexOf(row), true));
        for (const choice of all("[data-filter], [data-steps]", f.section))
            choice.addEventListener("change", () => filter(f));
        for (const axis of all("[data-axis]", f.section))
            axis.addEventListener("change",
                () => scale(f, axis.value === "time"));
        for (const button of all("[data-move]", f.section))
            button.addEventListener("click", () => move(f,
                button.dataset.move === "end" ? Number(f.slider.max)
                    : f.at + Number(button.dataset.move), true));
        if (f.slider) {
            f.slider.addEventListener("input",
                () => move(f, Number(f.slider.value), true));
            move(f, f.section.classList.contains("pass") ? 0
                : Number(f.slider.max), false);
        }
        filter(f);
        const core = f.operations.find(e => e.classList.contains("core"));
        if (core)
            reveal(core);
    }
    for (const button of all(".copy"))
        button.addEventListener("click", () => copy(button));
    document.getElementById("theme").addEventListener("click", changeTheme);
    addEventListener("hashchange", open);
    open();
    root.dataset.ready = "yes";
})();
