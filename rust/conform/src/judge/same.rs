//! When two results say the same.

use crate::tree::read_int;
use num_bigint::BigInt;
use serde_json::Value;

/// Equal, up to strides under extents of 1.
pub fn same(a: &Value, b: &Value) -> bool {
    normalized(a) == normalized(b)
}

fn normalized(value: &Value) -> Value {
    let mut value = value.clone();
    // make_layout_tv answers {"tiler","layout"}, logical_divide_ceil a list of layouts beside
    // and find_layout_over {"constant","layout"}
    if let Some(layout) = value.get_mut("layout") {
        *layout = normalized(layout);
    }
    if let Some(layouts) = value.as_array_mut().filter(|values| values.iter().all(Value::is_object)) {
        for layout in layouts {
            *layout = normalized(layout);
        }
    }
    if let Some(object) = value.as_object_mut()
        && let (Some(shape), Some(mut stride)) = (object.get("shape").cloned(), object.remove("stride"))
    {
        forget(&shape, &mut stride);
        object.insert("stride".into(), stride);
    }
    // slice_and_offset answers [shape, stride, offset]
    if let Some([shape, stride, offset]) = value.as_array_mut().map(Vec::as_mut_slice)
        && offset.is_number()
        && shape.is_array()
        && stride.is_array()
    {
        forget(&shape.clone(), stride);
    }
    value
}

fn forget(shape: &Value, stride: &mut Value) {
    match (shape, stride) {
        (Value::Array(shapes), Value::Array(strides)) => {
            for (shape, stride) in shapes.iter().zip(strides) {
                forget(shape, stride);
            }
        }
        (shape, stride) => {
            if read_int(shape) == Some(BigInt::from(1)) && stride.is_number() {
                *stride = Value::from(0);
            }
        }
    }
}
