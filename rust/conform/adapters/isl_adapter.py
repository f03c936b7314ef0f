"""isl (PyPI islpy), for relations given as layouts, pairs or texts, as a peer of `razorgirl conform`."""

from importlib.metadata import version

import islpy as isl

from peer import missing, serve

# as many as the protocol lists
MOST = 1 << 16


def flat(value):
    return [value] if isinstance(value, int) else [leaf for item in value for leaf in flat(item)]


def text(layout):
    """The offset of a linear index: each digit of the index times its stride."""
    if "swizzle" in layout:
        missing()
    shape, stride = flat(layout["shape"]), flat(layout["stride"])
    if len(shape) != len(stride) or min(shape, default=1) < 1:
        raise ValueError("no layout")
    terms, block = [], 1
    for extent, step in zip(shape, stride):
        terms.append(f"{step}*(floor(c/{block}) mod {extent})")
        block *= extent
    return f"{{ [c] -> [{' + '.join(terms) or 0}] : 0 <= c < {block} }}"


def pairs(value):
    def written(ends):
        return " -> ".join(f"[{','.join(map(str, end))}]" for end in ends)

    return f"{{ {'; '.join(map(written, value))} }}"


def read(value):
    if isinstance(value, dict):
        if "in" in value:
            missing()
        value = text(value)
    return isl.UnionMap(value if isinstance(value, str) else pairs(value))


def spaces(several):
    """The parts of a list of isl's."""
    found = []
    several.foreach(found.append)
    return found


def listed(relation):
    """The pairs of a relation, sorted, each space of it by itself."""
    found = []
    for space in spaces(relation.get_map_list()):
        count = space.dim(isl.dim_type.in_)
        points = space.wrap().flatten()
        if not points.is_bounded():
            raise ValueError("not finite")
        if points.count_val() > MOST:
            raise ValueError("too many pairs")

        def note(point):
            place = [point.get_coordinate_val(isl.dim_type.set, at).to_python() for at in range(points.dim(isl.dim_type.set))]
            found.append([place[:count], place[count:]])

        points.foreach_point(note)
    return sorted(found)


def gaps(relation):
    """The numbers below its largest image that are none; none where an image is no such number."""
    if relation.is_empty():
        return []
    below, images = isl.UnionSet("{ [x] : x < 0 }"), relation.range()
    parts = spaces(images.get_set_list())
    if any(space.dim(isl.dim_type.set) != 1 for space in parts) or not images.is_disjoint(below):
        return None
    last = parts[0].dim_max_val(0).to_python()
    if last >= MOST:
        return None
    missed = isl.UnionMap(f"{{ [] -> [x] : 0 <= x <= {last} }}").subtract_range(images)
    return [image for _, (image,) in listed(missed)]


def described(relation):
    least = {}
    # isl's minimum is lexicographic; here the first coordinate is the fastest
    for image, preimage in sorted(listed(relation.reverse()), key=lambda pair: pair[1][::-1]):
        least.setdefault(tuple(image), preimage)
    return {
        "isl": str(relation),
        "graph": listed(relation),
        "least_preimages": [[list(image), preimage] for image, preimage in sorted(least.items())],
        "gaps": gaps(relation),
    }


def compose(outer, inner):
    outer, inner = read(outer), read(inner)
    return {**described(inner.apply_range(outer)), "promotes": not inner.range().is_subset(outer.domain())}


OPS = {
    "relation_compose": compose,
    "relation_inverse": lambda value: described(read(value).reverse()),
    "relation_of": lambda value: described(read(value)),
}
serve(OPS, {"name": "isl", "version": version("islpy")})
