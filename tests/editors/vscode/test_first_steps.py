"""What a person sees of the extension before opening a file with it: its page and its walkthrough."""

from playwright.sync_api import expect

from tests.editors.vscode.viewer import Viewer

_WIDTHS = "images => images.map(image => image.naturalWidth)"
_STEPS = ("Open a file of any size", "Find and filter", "Follow a log", "Let agents read")


def test_the_page_of_the_extension_has_no_broken_picture(viewer: Viewer) -> None:
    viewer.window.run("Extensions: Show Installed Extensions")
    viewer.page.locator(".extension-list-item", has_text="Forge Read").first.click()
    expect(viewer.frame.get_by_role("heading", name="The viewer")).to_be_visible()
    images = viewer.frame.locator("img")
    assert 0 not in images.evaluate_all(_WIDTHS)
    viewer.window.run("View: Show Explorer")


def test_the_walkthrough_has_a_picture_for_each_step_in_the_viewer(viewer: Viewer) -> None:
    viewer.page.set_viewport_size({"width": 1600, "height": 900})  # else VS Code leaves the pictures out
    viewer.window.run("Forge: Get Started")
    steps = viewer.page.locator(".getting-started-step")
    expect(steps).to_have_count(len(_STEPS))
    for step, title in zip(steps.all(), _STEPS, strict=True):
        expect(step).to_contain_text(title)
    picture = viewer.page.locator(".getting-started-media img")
    for step in steps.all()[:3]:
        step.locator(".step-title").click()
        viewer.window.until(lambda: picture.evaluate_all(_WIDTHS), lambda widths: len(widths) == 1 and widths[0] > 0)
    steps.last.locator(".step-title").click()
    told = viewer.page.frame_locator("iframe.webview.ready").frame_locator("#active-frame").locator("body")
    expect(told).to_contain_text("forge_read_many")
    viewer.page.set_viewport_size({"width": 1280, "height": 800})
