"""What a notebook shows, read back from the text."""

import re
import xml.etree.ElementTree as xml

import pytest
import razorgirl
from razorgirl import CoordLayout, Layout, LayoutError, LinearLayout, Picture, SwizzledLayout

SVG = "{http://www.w3.org/2000/svg}"


def cells(svg):
    """The labels of the cells of each grid, in order: what stands in the middle of a coloured rectangle."""
    tree = xml.fromstring(svg)
    boxes = [node for node in tree.iter(SVG + "rect") if node.get("class") != "ground"]
    texts = {}
    for node in tree.iter(SVG + "text"):
        texts.setdefault((int(node.get("x")), int(node.get("y"))), node.text)
    found = []
    for box in boxes:
        x, y, wide, high = (int(box.get(name)) for name in ("x", "y", "width", "height"))
        found += [text or "" for (at, below), text in texts.items() if at == x + wide // 2 and y < below <= y + high]
    return found


@pytest.mark.parametrize("text", ["(4,8):(8,1)", "((4,2),8):((1,16),4)", "(3,5):(0,1)", "7:2"])
def test_the_picture_has_every_offset(text):
    layout = Layout(text)
    picture = layout.picture()
    offsets = [str(offset) for offset in layout.offsets()]
    assert cells(picture.svg()) == offsets
    drawn = re.findall(r"minimum width.*\{(\d+)\};", picture.tikz())
    assert sorted(drawn) == sorted(offsets)
    assert picture.tikz().count("minimum width") == layout.size()
    assert text in picture.text and str(picture) == picture.text and repr(picture) == f"<picture: {text}>"


def test_other_classes_are_drawn():
    swizzled = SwizzledLayout("Sw<2,0,2> o 0 o (4,4):(4,1)")
    assert cells(swizzled.picture().svg()) == [str(razorgirl.swizzled_call(i, swizzled)) for i in range(16)]
    coordinates = CoordLayout("(2,3):(1@0,1@1)")
    assert cells(coordinates.picture().svg()) == [f"({i},{j})" for j in range(3) for i in range(2)]
    for layout in (swizzled, coordinates, Layout("(4,8):(8,1)")):
        page = layout._repr_html_()
        assert "<svg" in page and "data-jp-theme-light" in page and "prefers-color-scheme: dark" in page
    assert not hasattr(LinearLayout, "_repr_html_")


def test_what_is_large_is_told_in_words():
    for text in ("(128,128):(128,1)", "(4096,4096):(4096,1)"):
        page = Layout(text)._repr_html_()
        assert "<svg" not in page and "injective" in page
    assert "<svg" in Layout("(64,64):(64,1)")._repr_html_()
    assert not Layout("(4096,4096):(4096,1)").picture() and Layout("(128,128):(128,1)").picture()


def test_diagrams():
    picture = razorgirl.diagram(Layout("((2,2),5):((10,0),2)"))
    assert picture and picture.svg().startswith("<svg") and "tikzpicture" in picture.tikz() and "((2,2),5)" in picture.text
    both = razorgirl.diagram("(4,8):(1,4)", "(2,4):(1,8)")
    assert "(4,8):(1,4) o (2,4):(1,8)" in both.text
    with pytest.raises(LayoutError):
        razorgirl.diagram("(4,6):(1,6)")


def test_thread_value():
    layout = Layout("((4,8),(2,2)):((32,1),(16,8))")
    picture = razorgirl.thread_value(layout, (16, 8))
    expected = {}
    for thread in range(32):
        for value in range(4):
            expected[layout(thread, value)] = f"T{thread}V{value}"
    assert cells(picture.svg()) == [expected[index] for index in range(128)]
    with pytest.raises(LayoutError) as refused:
        razorgirl.thread_value(layout, (16, 7))
    assert refused.value.code == "out_of_domain" and refused.value.help
    with pytest.raises(LayoutError):
        razorgirl.thread_value("4:1", 4)


def test_explain():
    one = razorgirl.explain("logical_divide((16):(1), (4):(1))")
    other = razorgirl.explain("logical_divide", Layout("(16):(1)"), "(4):(1)")
    assert one.text == other.text and "law" in one.text and "checked" in one.text
    assert sorted(map(int, cells(one.svg()))) == sorted([*range(16), *range(16)])
    assert razorgirl.explain("composition_by_mode", Layout("(12,4):(1,12)"), ("3:4", None)).text
    with pytest.raises(LayoutError) as refused:
        razorgirl.explain("composition", "(6,2):(1,7)", "(3,2):(2,3)")
    assert refused.value.code == "carries"
    with pytest.raises(LayoutError):
        razorgirl.explain("(4,8):(8,1)")


def test_banks():
    plain = Layout("(32,32):(32,1)")
    picture = razorgirl.banks(plain, "f32", "column")
    assert "32 wavefronts" in picture.text and "without conflicts" in picture.text and picture.svg().count("<rect") > 2048
    assert "32 wavefronts" in picture.tikz() and "1 wavefront;" in picture.tikz()
    free = razorgirl.banks(SwizzledLayout("Sw<5,0,5> o 0 o (32,32):(32,1)"), "f32", ["row", "column"])
    assert "no bank conflicts" in free.text
    with pytest.raises(LayoutError):
        razorgirl.banks(plain, "f33", "row")


def test_saved(tmp_path):
    picture = Layout("(4,8):(8,1)").picture()
    for suffix, begins in ((".svg", "<svg"), (".tex", "% \\usepackage{tikz}"), (".txt", "(4,8):(8,1)"), (".html", "<!doctype html>")):
        path = tmp_path / f"picture{suffix}"
        picture.save(path)
        assert path.read_text().startswith(begins)
    with pytest.raises(ValueError):
        picture.save(tmp_path / "picture.png")
    with pytest.raises(TypeError):
        Picture()
