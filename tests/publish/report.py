"""report.py PLUMB [full] - reports in HTML and SVG.

Read by Python's parser everywhere, and by Chromium where it is at hand, with
chromium-driver and python3-selenium: nothing is said on the console, every
control can be reached and used by keyboard, every text has a contrast of 4.5,
light and dark, and no name becomes an element.
"""
import html.parser
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import hostile

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.keys import Keys
except ImportError:
    webdriver = None

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLUMB = os.path.realpath(sys.argv[1])
FULL = "full" in sys.argv[2:]
MOST = 2_000_000
VOID = {"meta", "input", "br", "link", "img"}

wrong = []


def complain(case, message):
    wrong.append(f"{' '.join(map(str, case))}: {message}")


def report(case):
    """The page and the picture of a command, as texts."""
    done = subprocess.run([PLUMB, *case, "--report", "out.html", "--svg",
                           "out.svg"], capture_output=True, check=False)
    try:
        page = pathlib.Path("out.html").read_bytes()
        picture = pathlib.Path("out.svg").read_bytes()
    except OSError:
        complain(case, f"no report: {done.stderr.decode()}")
        return "", ""
    os.unlink("out.html")
    os.unlink("out.svg")
    if len(page) > MOST:
        complain(case, f"the page has {len(page)} bytes")
    return page.decode(), picture.decode()


class Elements(html.parser.HTMLParser):
    """The elements of a page, with the names of their attributes."""

    def __init__(self, text):
        super().__init__()
        self.seen = []
        self.ids = []
        self.links = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, tuple(name for name, _ in attrs)))
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            if name == "href":
                self.links.append(value)


def check_page(case, page):
    found = Elements(page)
    tags = [tag for tag, _ in found.seen]
    if tags.count("script") != 1 or tags.count("style") != 1:
        complain(case, "not one script and one style")
    if len(set(found.ids)) != len(found.ids):
        complain(case, "two elements have the same id")
    for link in found.links:
        if not link.startswith("#") or link[1:] not in found.ids:
            complain(case, f"a link leads to {link}")
    for _, names in found.seen:
        if any(name.startswith("on") or name in ("style", "src")
               for name in names):
            complain(case, f"an element has {names}")
    return found.seen


def check_picture(case, picture):
    try:
        xml.fromstring(picture)
    except xml.ParseError as error:
        complain(case, f"SVG: {error}")


# ---- hostile names ----

def check_hostile(browser):
    for kind, write, path, few in hostile.KINDS:
        page, _ = report(write(path, "plain"))
        expected = check_page([kind], page)
        count = browser.count(page) if browser else 0
        for i, name in enumerate(hostile.names(200 if FULL else few)):
            page, picture = report(write(path, name))
            if check_page([kind, ascii(name[:30])], page) != expected:
                complain([kind, ascii(name[:30])], "elements differ")
            check_picture([kind, ascii(name[:30])], picture)
            if browser and (FULL or i % 15 == 0) and \
                    browser.count(page) != count:
                complain([kind, ascii(name[:30])], "the browser adds elements")


# ---- in a browser ----

CONTRAST = r"""
const channel = c => (c /= 255) <= .03928 ? c / 12.92
    : ((c + .055) / 1.055) ** 2.4;
const parts = text => (text.match(/[\d.]+/g) || []).map(Number);
const light = c => .2126 * channel(c[0]) + .7152 * channel(c[1]) +
    .0722 * channel(c[2]);
const behind = e => {
    if (e.closest("svg")) {
        const bar = e.parentElement.querySelector(".bar");
        if (bar) return parts(getComputedStyle(bar).fill);
        e = e.closest("svg");
    }
    for (; e; e = e.parentElement) {
        const c = parts(getComputedStyle(e).backgroundColor);
        if (c.length === 3 || c[3] === 1) return c;
    }
    return [255, 255, 255];
};
const bad = [];
const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !e.getClientRects().length ||
        e.closest("title, script"))
        continue;
    const style = getComputedStyle(e);
    const own = parts(e.closest("svg") ? style.fill : style.color);
    const [a, b] = [light(own), light(behind(e))];
    const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < 4.5 || Number(style.opacity) < 1)
        bad.push(`${e.tagName}.${e.getAttribute("class")} ` +
            `${walk.currentNode.data.trim().slice(0, 20)} ${ratio.toFixed(2)}`);
}
return bad.slice(0, 5);
"""
CONTROLS = "button, select, input, summary, a[href], .scroll, [tabindex='0']"
FOCUSED = "const e = document.activeElement; return e.outerHTML.slice(0, 80);"


class Browser:
    """Chromium without a window."""

    def __init__(self, work):
        options = Options()
        for word in ("--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--window-size=1280,900",
                     f"--user-data-dir={work}/chromium"):
            options.add_argument(word)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(
            options=options, service=Service(shutil.which("chromedriver")))
        self.path = pathlib.Path(work) / "page.html"

    def open(self, page, fragment=""):
        self.path.write_text(page)
        self.driver.get("about:blank")
        self.driver.get(f"file://{self.path}{fragment}")

    def run(self, script):
        return self.driver.execute_script(script)

    def messages(self):
        return [line["message"] for line in self.driver.get_log("browser")]

    def count(self, page):
        self.open(page)
        for line in self.messages():
            complain(["hostile"], line)
        return self.run("return document.querySelectorAll('*').length")

    def media(self, **features):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": name.replace("_", "-"), "value": value}
                         for name, value in features.items()]})

    def press(self, *keys):
        self.driver.switch_to.active_element.send_keys(*keys)

    def close(self):
        self.driver.quit()


def check_contrast(case, browser):
    for scheme in ("light", "dark"):
        browser.media(prefers_color_scheme=scheme)
        for text in browser.run(CONTRAST):
            complain(case, f"contrast, {scheme}: {text}")
    browser.media(prefers_color_scheme="light")


def check_controls(case, browser):
    """Tab reaches all of them."""
    wanted = browser.run(
        f"return Array.from(document.querySelectorAll(`{CONTROLS}`))"
        ".filter(e => e.getClientRects().length).length")
    browser.run("document.activeElement.blur(); window.seen = new Set();"
                "addEventListener('focusin', e => seen.add(e.target));")
    for _ in range(wanted + 3):
        browser.press(Keys.TAB)
    reached = browser.run(
        f"return Array.from(document.querySelectorAll(`{CONTROLS}`))"
        ".filter(e => e.getClientRects().length && !seen.has(e))"
        ".map(e => e.outerHTML.slice(0, 60))")
    if reached:
        complain(case, f"not reached by Tab: {reached}")


KEYS = {
    "j": "return !!document.querySelector('.chosen')",
    "Escape": "return !document.querySelector('.chosen')",
    "d": "return document.documentElement.dataset.theme === 'dark'",
    "?": "return document.getElementById('keys').open",
}


def go_to(browser, selector):
    """To the result that has it; keys are about that one then."""
    browser.run(f"const e = document.querySelector(`{selector}`);"
                "if (e) { e.focus(); e.blur(); }")


def check_keys(case, browser):
    go_to(browser, ".bars .op, table.steps tr[id]")
    has = browser.run("return !!document.querySelector("
                      "'.bars .op, table.steps tr[id]')")
    for key, script in KEYS.items():
        browser.press(Keys.ESCAPE if key == "Escape" else key)
        if not browser.run(script) and (has or key != "j"):
            complain(case, f"the key {key} does nothing")
    before = "return document.querySelector('.slider input').value"
    if browser.run("return !!document.querySelector('.slider')") and \
            browser.run("return Number(document.querySelector("
                        "'.slider input').max)"):
        go_to(browser, ".slider input")
        values = []
        for key in "hhll":
            browser.press(key)
            values.append(browser.run(before))
        if len(set(values)) < 2:
            complain(case, "the keys h and l do not move the slider")


def check_axis(case, browser):
    """By time the bars are elsewhere, and by order where they were."""
    places = ("return Array.from(document.querySelectorAll('.bars .op[id] "
              ".bar')).map(b => b.getAttribute('x') ?? b.getAttribute('d'))")
    before = browser.run(places)
    browser.run("document.activeElement.blur()")
    browser.press("t")
    timed = browser.run(places)
    browser.press("t")
    if timed == before or browser.run(places) != before:
        complain(case, f"the axis: {before}, {timed}, {browser.run(places)}")


def check_in_browser(case, browser, page):
    browser.open(page)
    if browser.run("return document.documentElement.dataset.ready") != "yes":
        complain(case, "the script did not run")
    check_contrast(case, browser)
    check_controls(case, browser)
    check_keys(case, browser)
    if "<select data-axis" in page:
        check_axis(case, browser)
    elif "timed" in case[-1]:
        complain(case, "has no axis of time")
    if "id=\"f1-o1\"" in page:
        browser.open(page, "#f1-o1")
        if not browser.run("return document.getElementById('f1-o1')"
                           ".classList.contains('chosen')"):
            complain(case, "a permalink chooses nothing")
    for line in browser.messages():
        complain(case, line)
    browser.driver.set_window_size(420, 900)
    if browser.run("return document.documentElement.scrollWidth > "
                   "document.documentElement.clientWidth"):
        complain(case, "wider than a narrow window")
    browser.driver.set_window_size(1280, 900)


CASES = [
    ["check", "queue-not-linearizable.hist", "queue-linearizable.hist"],
    ["check", "--spec", "queue", "malformed.hist"],
    ["check", "--spec", "queue", "violations.hist"],
    ["check", "--timeout", "0.001", "--spec", "queue", "--algorithm", "search",
     "violations.hist"],
    ["monitor", "--spec", "queue", "queue-not-linearizable.hist"],
    ["check", "--spec", "queue", "timed.jsonl"],
    ["explore", "queue-reread"],
    ["explore", "transfer.c"],
    ["explore", "treiber", "--test", "push(1) | pop()"],
    ["explore", "no-such-object"],
    ["verify", "philosophers.csp"],
    ["verify", "light.csp"],
    ["simulate", "-i", "violations.hist", "-s", "queue"],
]
MORE = [  # every other kind, with `full`
    ["simulate", "crashes.c", "--histories", "5", "-p", "1"],
    ["explore", "crashes.c"],
    ["explore", "counter-race", "--test", "inc() get() | inc()"],
    ["explore", "queue-coarse", "--spec", "infer", "--test", "enq(1) | deq()"],
    ["explore", "treiber", "--test", "push(1) | pop()", "--also",
     "serializability"],
    ["explore", "waiting_queue.c", "--auto", "--spec", "queue"],
    ["verify", "stack"],
    ["verify", "shann-queue"],
    ["verify", "wrong-index.csp"],
    ["verify", "hw-queue"],
]


SHOWN = [CASES[0], CASES[5], CASES[6], CASES[10]]  # in a browser, without `full`


def make_browser(work):
    if not webdriver or not shutil.which("chromedriver") or \
            os.environ.get("PLUMB_NO_BROWSER"):
        return None
    return Browser(work)


def main():
    with tempfile.TemporaryDirectory() as work:
        for file in [*(ROOT / "examples").glob("*.[hc]*"),
                     *(ROOT / "tests/golden/files").iterdir()]:
            shutil.copy(file, work)
        os.chdir(work)
        browser = make_browser(work)
        try:
            for case in CASES + (MORE if FULL else []):
                page, picture = report(case)
                check_page(case, page)
                check_picture(case, picture)
                if browser and (FULL or case in SHOWN):
                    check_in_browser(case, browser, page)
            check_hostile(browser)
        finally:
            if browser:
                browser.close()
    print("\n".join(wrong[:40]) if wrong else
          f"{len(CASES)} cases{'' if browser else ', without a browser'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
