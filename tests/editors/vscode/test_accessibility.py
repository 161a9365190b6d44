"""What screen readers are told, and whether everything can be read in every default theme."""

from playwright.sync_api import expect

from tests.editors.vscode.code import EXTENSION
from tests.editors.vscode.logs import log_line
from tests.editors.vscode.viewer import Viewer


def test_rows_and_messages_are_told_to_screen_readers(server_log: Viewer, last_line: int) -> None:
    server_log.go_to("77")
    server_log.wait_until_current(77)
    grid = server_log.part("#rows")
    expect(grid).to_have_role("grid")
    expect(grid).to_have_attribute("aria-rowcount", str(last_line))
    expect(grid).to_have_attribute("aria-activedescendant", "line-77")
    expect(server_log.part("#line-77")).to_have_attribute("aria-rowindex", "77")
    expect(server_log.part("#line-77")).to_have_accessible_name(f"77 {log_line(77).rstrip()}")
    expect(server_log.part("#spoken")).to_have_text(f"Line 77 of {last_line:,}")


_THEMES = ("Dark Modern", "Light Modern", "Dark High Contrast", "Light High Contrast")


_READABLE = 4.49
"""4.5, but for rounding to whole colors."""


_AXE = EXTENSION / "node_modules/axe-core/axe.min.js"


_VIOLATIONS = """async () => (await axe.run(document, { resultTypes: ['violations'] })).violations.map(
  each => `${each.id}: ${each.nodes.map(node => node.html + ' ' + node.failureSummary)}`)"""


# What axe cannot see: text in highlights. The same formula, in a few lines.
_CONTRASTS = """view => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
  const style = getComputedStyle(document.body);
  const painted = (...names) => {
    for (const name of names) {
      canvas.fillStyle = style.getPropertyValue(name) || 'transparent';
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = rgb => rgb.map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (text, ...behind) => {
    const [a, b] = [luminance(painted(text)), luminance(painted('--vscode-editor-background', ...behind))];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  return {
    match: contrast('--match-foreground', '--vscode-editor-findMatchHighlightBackground'),
    current: contrast('--current-match-foreground', '--vscode-editor-findMatchBackground'),
    selection: contrast('--selection-foreground', '--vscode-editor-selectionBackground'),
    ...Object.fromEntries(['error', 'warning', 'info', 'time'].map(name => [name, contrast(`--${name}-foreground`)])),
    ...Object.fromEntries(['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta',
      'Cyan', 'White'].map(name => [name, contrast(`--ansi${name}`)])),
  };
}"""


def test_everything_is_named_and_readable_in_every_default_theme(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Alt+F")
    viewer.part("#filter .field input").fill("worker")
    viewer.page.keyboard.press("Enter")
    expect(viewer.part("#filter .chip")).to_be_visible()
    viewer.window.status("lines").wait_for()  # they are filtered
    viewer.part("#filter .level").select_option("warning")
    viewer.part("#rows").focus()
    viewer.page.keyboard.press("z")
    expect(viewer.part("#filter .bound")).to_be_visible()
    expect(viewer.part(".row.context").first).to_be_visible()
    viewer.find("worker")
    expect(viewer.part("#find output")).to_contain_text("of")
    frame = viewer.part("#view").element_handle().owner_frame()
    assert frame
    frame.evaluate(_AXE.read_text())
    for theme in (*_THEMES[1:], _THEMES[0]):
        _choose_theme(viewer, theme)
        contrasts = viewer.part("#view").evaluate(_CONTRASTS)
        assert {name: value for name, value in contrasts.items() if value < _READABLE} == {}, theme
        assert frame.evaluate(_VIOLATIONS) == [], theme
    viewer.part("#filter .chip .switch").focus()
    viewer.page.keyboard.press("Delete")
    viewer.window.run("Forge: Filter: Any Level and Time")
    viewer.part("#filter .close").click()


def test_in_high_contrast_a_chip_that_is_on_differs_from_one_that_is_off(viewer: Viewer) -> None:
    viewer.open("times.log")
    viewer.page.keyboard.press("Control+Alt+F")
    viewer.part("#filter .field input").fill("worker")
    viewer.page.keyboard.press("Enter")
    chip = viewer.part("#filter .chip .switch")
    expect(chip).to_have_attribute("aria-pressed", "true")
    _choose_theme(viewer, "Dark High Contrast")
    outline = "chip => getComputedStyle(chip).boxShadow"
    on = chip.evaluate(outline)
    assert on.startswith("rgb("), on  # of a color that can be seen
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    assert chip.evaluate(outline) == "none"
    _choose_theme(viewer, "Dark Modern")
    chip.focus()
    viewer.page.keyboard.press("Delete")
    viewer.part("#filter .close").click()


def _choose_theme(viewer: Viewer, theme: str) -> None:
    viewer.page.keyboard.press("Control+K")
    viewer.page.keyboard.press("Control+T")
    viewer.page.locator(".quick-input-list .monaco-list-row", has_text="Modern").first.wait_for()
    viewer.window.input.fill(theme)
    viewer.page.locator(".quick-input-list .monaco-list-row.focused", has_text=theme).wait_for()
    viewer.page.keyboard.press("Enter")
    name = "view => document.body.dataset.vscodeThemeName"
    viewer.window.until(lambda: viewer.part("#view").evaluate(name), lambda now: now == theme)


def test_the_text_of_every_match_is_told_to_screen_readers(server_log: Viewer) -> None:
    spoken = server_log.part("#spoken")
    server_log.find("#1000000 ")
    for number in (1_000_000,):
        expect(spoken).to_have_text(f"Found in line {number:,}: {log_line(number).rstrip()}")
    server_log.part("#find input").fill("payment 77")
    matching = [number for number in range(1_000_000, 1_100_000) if "payment 77" in log_line(number)]
    for number in matching[:3]:
        expect(spoken).to_have_text(f"Found in line {number:,}: {log_line(number).rstrip()}")
        server_log.page.keyboard.press("Enter")
    server_log.page.keyboard.press("Escape")
