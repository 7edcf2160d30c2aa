//! Subgroup operations.

use super::kernel;
use crate::selftest::case::{Buffer, Case, Evidence};
use crate::selftest::element::{Element, integers};
use tiletc::device::{CoreInfo, SpirvFeature};

/// Reductions, scans and broadcasts in subgroups of every size.
pub fn all(info: &CoreInfo) -> Vec<Case> {
    type Combine = fn(f64, f64) -> f64;
    const HOW: &[(&str, Combine)] = &[("add", |a, b| a + b), ("min", f64::min), ("max", f64::max)];
    let has_double = info.have(SpirvFeature::Float64);
    let elements = [Element::I32, Element::I64, Element::F32, Element::F64];
    let mut cases = Vec::new();
    for lanes in info.subgroup_sizes().iter().filter_map(|&lanes| usize::try_from(lanes).ok()) {
        for element in elements.into_iter().filter(|&element| has_double || element != Element::F64) {
            let x = integers(2 * lanes, 16, lanes as u64);
            for &(how, combine) in HOW {
                let subgroups = x.chunks(lanes);
                let reduced = subgroups.clone().flat_map(|own| {
                    let all = own.iter().copied().reduce(combine).unwrap_or(0.0);
                    vec![all; own.len()]
                });
                cases.push(case("reduce", how, element, lanes, &x, reduced.collect()));
                let scanned = subgroups.flat_map(|own| {
                    let mut so_far = None;
                    own.iter().map(move |&number| {
                        let all = so_far.map_or(number, |before| combine(before, number));
                        so_far = Some(all);
                        all
                    })
                });
                if how == "add" {
                    let inclusive: Vec<f64> = scanned.collect();
                    cases.push(case("inclusive_scan", how, element, lanes, &x, inclusive.clone()));
                    cases.push(exclusive_scan(element, lanes, &x, inclusive));
                }
            }
            for from in [0, lanes / 2 + 1, lanes - 1] {
                let sent =
                    x.chunks(lanes).flat_map(|own| vec![own.get(from).copied().unwrap_or(0.0); own.len()]);
                cases.push(broadcast(element, lanes, from, &x, sent.collect()));
            }
        }
    }
    cases
}

fn case(what: &str, how: &str, element: Element, lanes: usize, x: &[f64], y: Vec<f64>) -> Case {
    let ty = element.spelling();
    let body = format!(
        "%v = load %x[%i] : {ty}
        %w = subgroup_{what}_{how} %v : {ty}
        store %w, %y[%i]"
    );
    finish(format!("{what} {how} {ty} of {lanes} lanes"), &body, element, lanes, x, y)
}

/// Sum of the lanes before each one, with its own number added: of zeros the sign would be left open.
fn exclusive_scan(element: Element, lanes: usize, x: &[f64], y: Vec<f64>) -> Case {
    let ty = element.spelling();
    let body = format!(
        "%v = load %x[%i] : {ty}
        %before = subgroup_exclusive_scan_add %v : {ty}
        %w = add %before, %v : {ty}
        store %w, %y[%i]"
    );
    finish(format!("exclusive_scan add {ty} of {lanes} lanes"), &body, element, lanes, x, y)
}

fn broadcast(element: Element, lanes: usize, from: usize, x: &[f64], y: Vec<f64>) -> Case {
    let ty = element.spelling();
    let body = format!(
        "%v = load %x[%i] : {ty}
        %w = subgroup_broadcast %v, {from} : {ty}
        store %w, %y[%i]"
    );
    finish(format!("broadcast {ty} from lane {from} of {lanes}"), &body, element, lanes, x, y)
}

fn finish(name: String, body: &str, element: Element, lanes: usize, x: &[f64], y: Vec<f64>) -> Case {
    let memory = format!("memref<{}x{}>", element.spelling(), x.len());
    Case {
        name,
        text: kernel(&format!("%x: {memory}, %y: {memory}"), lanes, x.len(), "", body),
        groups: [1; 3],
        arguments: vec![
            Buffer::input(element, x).into(),
            Buffer::output(element, &vec![0.0; x.len()], &y).into(),
        ],
        evidence: Evidence::None,
    }
}
