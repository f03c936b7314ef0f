//! Morphisms, and layouts as they are written.

use super::{CODOMAIN, DOMAIN, Fault, M, MAP, N, Read, SHAPE, STRIDE};
use super::{each, fields, literal, literals, number, numbers, shape_and_stride, single};
use crate::code::Code;
use razorgirl::IntTuple;
use razorgirl::category::{FinMap, NestMorphism, TupleMorphism, WrittenLayout};

/// `{"shape":…,"stride":…}`, every stride as it stands there.
pub(super) fn written(json: &str) -> Read<WrittenLayout> {
    let [shape, stride] = fields(json, [SHAPE, STRIDE])?;
    let (shape, stride) = shape_and_stride(shape, stride)?;
    if stride.contains('{') {
        return Err(Fault::Met("coordinate strides, which have no order"));
    }
    Ok(WrittenLayout::from_literals(&literals(shape)?, &literals(stride)?)?)
}

/// `{"m":…,"n":…,"map":[…]}`.
pub(super) fn fin_map(json: &str) -> Read<FinMap> {
    let [m, n, map] = fields(json, [M, N, MAP])?;
    let (Some(m), Some(n), Some(map)) = (m, n, map) else {
        return Err(Fault::Met("an object without `m`, `n` and `map`"));
    };
    let elements = |json: &str| single(json, "a number of elements", 0, Code::OutOfDomain, Code::Overflow);
    let (m, n) = (elements(m)?, elements(n)?);
    let map = FinMap::new(n, map_of(map)?)?;
    map.expect_domain(m)?;
    Ok(map)
}

/// `{"domain":[…],"codomain":[…],"map":[…]}`.
pub(super) fn tuple_morphism(json: &str) -> Read<TupleMorphism> {
    let (domain, codomain, map) = morphism(json)?;
    if domain.depth() != 1 || codomain.depth() != 1 {
        return Err(Fault::Met("a morphism of nested tuples"));
    }
    Ok(TupleMorphism::new(domain.leaves(), codomain.leaves(), &map)?)
}

/// `{"domain":…,"codomain":…,"map":[…]}`.
pub(super) fn nest_morphism(json: &str) -> Read<NestMorphism> {
    let (domain, codomain, map) = morphism(json)?;
    Ok(NestMorphism::new(&domain, &codomain, &map)?)
}

fn morphism(json: &str) -> Read<(IntTuple, IntTuple, Vec<u64>)> {
    let [domain, codomain, map] = fields(json, [DOMAIN, CODOMAIN, MAP])?;
    let (Some(domain), Some(codomain), Some(map)) = (domain, codomain, map) else {
        return Err(Fault::Met("an object without `domain`, `codomain` and `map`"));
    };
    let entries = |json: &str| numbers(&literals(json)?, "an entry", Code::Extent, Code::Overflow);
    Ok((entries(domain)?, entries(codomain)?, map_of(map)?))
}

/// Places counted from 1, and 0.
fn map_of(json: &str) -> Read<Vec<u64>> {
    let mut values = Vec::new();
    each(json, &mut |item| {
        values.push(number(literal(item)?, "a value of the map", 0, Code::OutOfDomain, Code::OutOfDomain)?);
        Ok(())
    })?;
    Ok(values)
}
