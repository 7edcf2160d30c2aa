//! `tiletc info`: the devices that kernels can be compiled for and run on, and the kernels of a program.

use crate::common::{self, Common, Failure, Output, Session};
use crate::table::{show, table};
use clap::Args;
use serde_json::{Value, json};
use tiletc::device::{CoreInfo, SpirvFeature};
use tiletc::driver;
use tiletc::runtime::{DeviceSummary, Error, level_zero, opencl};
use tiletc::schedule::{Explanation, Schedule};
use tiletc::status::Status;
use virtual_xe::Device;

/// Things to list.
#[derive(Debug, Args)]
pub struct Info {
    /// The program whose kernels are listed in the place of devices
    #[command(flatten)]
    common: Common,
    /// Device that the kernels are compiled for [default: pvc]
    #[arg(short = 'd', long, value_name = "DEVICE", requires = "file")]
    device: Option<String>,
    /// List the features of each device, too
    #[arg(short = 'v', long, conflicts_with = "file")]
    verbose: bool,
    /// Make standard output one JSON document, for devices with their features
    #[arg(long)]
    pub json: bool,
}

/// Lists the kernels of a program, or all devices; interfaces without a driver say so.
pub fn info(arguments: &Info, output: &mut Output) -> Result<(), Failure> {
    if arguments.common.file.is_some() {
        return kernels(&arguments.common, arguments.device.as_deref().unwrap_or("pvc"), output);
    }
    let mut rows = Vec::new();
    for device in Device::all() {
        let name = format!("virtual:{}", device.name());
        match CoreInfo::from_name(device.name()) {
            Some(info) => rows.push(Row { name, device: "virtual-xe".to_owned(), info: Some(info) }),
            None => {
                let device = "virtual-xe, runs the modules of all others".to_owned();
                rows.push(Row { name, device, info: None });
            }
        }
    }
    let mut absent = Vec::new();
    for (interface, devices) in [("opencl", opencl::devices()), ("level_zero", level_zero::devices())] {
        match devices {
            Ok(devices) if !devices.is_empty() => rows.extend(summaries(interface, devices)),
            none => {
                let reason =
                    none.err().map_or_else(|| "it has no driver".to_owned(), |error| error.to_string());
                absent.push((interface, reason));
            }
        }
    }
    if output.is_json() {
        let devices: Vec<Value> = rows.iter().map(Row::json).collect();
        let absent: Vec<Value> =
            absent.iter().map(|(name, reason)| json!({ "interface": name, "reason": reason })).collect();
        output.add(json!({ "devices": devices, "absent": absent }));
        return Ok(());
    }
    list(&rows, arguments.verbose)?;
    let absent: String =
        absent.iter().map(|(interface, reason)| format!("{interface}: none ({reason})\n")).collect();
    common::write_output(absent.as_bytes())
}

/// Lists the devices of an interface, of which there must be one.
pub fn of(interface: &str, devices: Result<Vec<DeviceSummary>, Error>) -> Result<(), Failure> {
    let devices = devices.map_err(|error| Failure::Failed(error.status(), error.to_string()))?;
    if devices.is_empty() {
        return Err(Failure::Failed(Status::ComputeRuntimeError, format!("{interface} has no driver")));
    }
    let rows: Vec<Row> = summaries(interface, devices).collect();
    list(&rows, true)
}

/// A device in the list.
struct Row {
    /// Name that `--device` takes.
    name: String,
    device: String,
    info: Option<CoreInfo>,
}

impl Row {
    fn json(&self) -> Value {
        let Row { name, device, info } = self;
        let features = info.as_ref().map(features);
        json!({
            "device": name,
            "name": device,
            "subgroup_sizes": info.as_ref().map(CoreInfo::subgroup_sizes),
            "register_space": info.as_ref().map(CoreInfo::register_space),
            "features": features,
        })
    }
}

/// The features that a device has.
fn features(info: &CoreInfo) -> Vec<&'static str> {
    let has = SpirvFeature::ALL.iter().filter(|&&feature| info.have(feature));
    has.map(|feature| feature.spelling()).collect()
}

fn summaries(interface: &str, devices: Vec<DeviceSummary>) -> impl Iterator<Item = Row> {
    devices.into_iter().enumerate().map(move |(number, DeviceSummary { name: device, core_info })| {
        let name = format!("{interface}:{number}");
        match core_info {
            Ok(info) => Row { name, device, info: Some(info) },
            Err(error) => Row { name, device: format!("{device} ({error})"), info: None },
        }
    })
}

fn list(rows: &[Row], verbose: bool) -> Result<(), Failure> {
    let row = |Row { name, device, info }: &Row| {
        let info = info.as_ref();
        let of = |text: &dyn Fn(&CoreInfo) -> String| info.map(text).unwrap_or_default();
        let mut cells = vec![
            name.clone(),
            device.clone(),
            of(&|info| joined(info.subgroup_sizes())),
            of(&|info| format!("{} bytes", info.register_space())),
        ];
        cells.extend(verbose.then(|| of(&|info| features(info).join("\n"))));
        cells
    };
    let mut header = vec!["device", "name", "subgroup sizes", "register space"];
    header.extend(verbose.then_some("features"));
    common::write_output(table(&header, rows.iter().map(row), &[]).as_bytes())
}

fn joined(numbers: &[i32]) -> String {
    numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(", ")
}

/// Lists the kernels of a program with their parameters and how they run on a device.
fn kernels(common: &Common, device: &str, output: &mut Output) -> Result<(), Failure> {
    let mut session = Session::open(common, common.info(device)?)?;
    let Session { ir, program, info, .. } = &session;
    let mut found = Vec::new();
    for &func in &program.functions {
        let schedule = Schedule::compiled(ir, func, info);
        let schedule = schedule.map_err(|error| session.failure(&driver::Error::Pass(error.into())))?;
        found.push((Explanation::new(ir, func, schedule, info), ir.signature(func)));
    }
    let Session { ir, program, info, options, .. } = &mut session;
    // The list is good for a program that the device cannot run, too.
    let is_lowered = driver::compile(ir, program, info, options).is_ok();
    let (mut rows, mut objects) = (Vec::new(), Vec::new());
    for (mut explanation, signature) in found {
        if is_lowered {
            explanation.lowered(ir, program);
        }
        let Explanation { schedule, register_file, .. } = explanation;
        let [x, y] = schedule.grid.work_items(schedule.subgroup_size);
        let parameters = signature.parameters.iter();
        objects.push(json!({
            "kernel": signature.name,
            "parameters": parameters.clone().map(|it| json!({ "name": it.name, "type": it.ty })).collect::<Vec<_>>(),
            "work_group_size": [x, y],
            "subgroup_size": schedule.subgroup_size,
            "grf_size": register_file.registers(),
        }));
        rows.push(vec![
            format!("@{}", signature.name),
            parameters.map(|it| format!("{}: {}", it.name, it.ty)).collect::<Vec<_>>().join("\n"),
            format!("{x}x{y}"),
            schedule.subgroup_size.to_string(),
            register_file.registers().to_string(),
        ]);
    }
    let header = ["kernel", "parameters", "work-group size", "subgroup size", "registers"];
    let text = table(&header, rows, &[2, 3, 4]);
    show(output, &text, json!({ "device": device, "kernels": objects }))
}
