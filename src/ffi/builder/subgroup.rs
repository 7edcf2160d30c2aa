//! Places in grid and work-group, and subgroup operations (API reference 4.6).

use super::super::call::Outcome;
use super::super::types::*;
use super::site::{Site, component, create};
use super::{Prototype, constructors};
use crate::ir::{
    Grid, GridBuiltin, LocalSubgroup, LocalSubgroupBuiltin, NumSubgroups, Subgroup, SubgroupBroadcast,
    SubgroupId, SubgroupOp, UniformSubgroup, UniformSubgroupBuiltin,
};

constructors! {
    PLACE;
    /// The place of the work-group in the grid; an index.
    tiletc_group_id_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) |s| {
        s.result(result)?;
        Grid { op: GridBuiltin::GroupId, component: component(mode)? }
    };
    /// The extent of the grid in work-groups; an index.
    tiletc_num_groups_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) |s| {
        s.result(result)?;
        Grid { op: GridBuiltin::NumGroups, component: component(mode)? }
    };
    /// The number of subgroups of the work-group in a direction; an i32.
    tiletc_num_subgroups_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) |s| {
        s.result(result)?;
        NumSubgroups { component: component(mode)? }
    };
    /// The number of work-items of a subgroup; an i32.
    tiletc_subgroup_size_inst_create(result: tiletc_type_t) |s| {
        s.result(result)?;
        UniformSubgroup { op: UniformSubgroupBuiltin::SubgroupSize }
    };
    /// The place of the subgroup in the work-group; an i32.
    tiletc_subgroup_id_inst_create(mode: tiletc_comp3_t, result: tiletc_type_t) |s| {
        s.result(result)?;
        SubgroupId { component: component(mode)? }
    };
    /// The number of the subgroup in the work-group, x fastest; an i32.
    tiletc_subgroup_linear_id_inst_create(result: tiletc_type_t) |s| {
        s.result(result)?;
        LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLinearId }
    };
    /// The place of the work-item in its subgroup; an i32.
    tiletc_subgroup_local_id_inst_create(result: tiletc_type_t) |s| {
        s.result(result)?;
        LocalSubgroup { op: LocalSubgroupBuiltin::SubgroupLocalId }
    };
}

constructors! {
    COMBINE;
    /// The value of the work-item idx, an i32, in all of its subgroup.
    tiletc_subgroup_broadcast_inst_create(a: tiletc_value_t, idx: tiletc_value_t, result: tiletc_type_t) |s| {
        let (a, lane) = (s.value(a)?, s.value(idx)?);
        s.result(result)?;
        SubgroupBroadcast { a, lane }
    };
    /// Sum of the work-items before.
    tiletc_subgroup_exclusive_scan_add_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::ExclusiveScanAdd, a, result)?;
    /// Largest value of the work-items before.
    tiletc_subgroup_exclusive_scan_max_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::ExclusiveScanMax, a, result)?;
    /// Smallest value of the work-items before.
    tiletc_subgroup_exclusive_scan_min_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::ExclusiveScanMin, a, result)?;
    /// Sum up to and with the work-item.
    tiletc_subgroup_inclusive_scan_add_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::InclusiveScanAdd, a, result)?;
    /// Largest value up to and with the work-item.
    tiletc_subgroup_inclusive_scan_max_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::InclusiveScanMax, a, result)?;
    /// Smallest value up to and with the work-item.
    tiletc_subgroup_inclusive_scan_min_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::InclusiveScanMin, a, result)?;
    /// Sum of all work-items of the subgroup.
    tiletc_subgroup_reduce_add_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::ReduceAdd, a, result)?;
    /// Largest value of all work-items of the subgroup.
    tiletc_subgroup_reduce_max_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::ReduceMax, a, result)?;
    /// Smallest value of all work-items of the subgroup.
    tiletc_subgroup_reduce_min_inst_create(a: tiletc_value_t, result: tiletc_type_t)
        |s| combine(s, SubgroupOp::ReduceMin, a, result)?;
}

fn combine(s: &mut Site, op: SubgroupOp, a: tiletc_value_t, result: tiletc_type_t) -> Outcome<Subgroup> {
    let combine = Subgroup { op, a: s.value(a)? };
    s.result(result)?;
    Ok(combine)
}
