//! A picture of a run: arithmetic per second over operations a byte, below the roofline.

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use super::measurement::{Measurement, Run};

const SIZE: (u32, u32) = (960, 640);
/// Operations a byte that are shown.
const INTENSITY: std::ops::Range<f64> = 0.1..100.0;

/// The picture as SVG.
///
/// # Errors
/// If there is no roofline, or the drawing fails.
pub fn svg(run: &Run) -> Result<String> {
    let mut text = String::new();
    draw(run, &mut text).map_err(|error| anyhow!("cannot draw the measurements: {error}"))?;
    Ok(text)
}

fn draw(run: &Run, text: &mut String) -> Result<()> {
    let rooflines =
        ["f32", "f64"].into_iter().filter_map(|precision| Some((precision, run.roofline(precision)?)));
    let rooflines: Vec<(&str, (f64, f64))> = rooflines.collect();
    let peak = rooflines.iter().map(|(_, (peak, _))| *peak).fold(f64::NAN, f64::max);
    if !(peak.is_finite() && peak > 0.0) {
        return Err(anyhow!("the roofline was not measured"));
    }
    let shown = run.measurements.iter().filter(|found| found.bytes > 0.0 && found.suite != "roofline");
    let shown: Vec<&Measurement> = shown.collect();
    let least = shown.iter().map(|found| found.gflops()).fold(peak / 100.0, f64::min);

    let area = SVGBackend::with_string(text, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let title = format!("{}, {} processors", run.device, run.processors);
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(64)
        .build_cartesian_2d(INTENSITY.log_scale(), (least / 2.0..peak * 2.0).log_scale())?;
    chart.configure_mesh().x_desc("operations a byte").y_desc("GFLOP/s").light_line_style(WHITE).draw()?;
    for (index, (precision, (peak, bandwidth))) in rooflines.iter().enumerate() {
        let color = Palette99::pick(index).to_rgba();
        let ridge = (peak / bandwidth).clamp(INTENSITY.start, INTENSITY.end);
        let line = [INTENSITY.start, ridge, INTENSITY.end].map(|x| (x, peak.min(bandwidth * x)));
        chart
            .draw_series(LineSeries::new(line, color.stroke_width(2)))?
            .label(format!("roofline, {precision}"))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], color.stroke_width(2)));
    }
    let mut programs: Vec<&str> = Vec::new();
    for found in &shown {
        if !programs.contains(&found.program.as_str()) {
            programs.push(&found.program);
        }
    }
    for (index, program) in programs.into_iter().enumerate() {
        let color = Palette99::pick(index + 2).to_rgba();
        let own = shown.iter().filter(|found| found.program == program);
        // Filled where the data are beyond the cache.
        let points = own.map(|found| {
            let style = if found.data == "beyond" { color.filled() } else { color.stroke_width(1) };
            let radius = if found.precision == "f64" { 6 } else { 4 };
            Circle::new((found.intensity(), found.gflops()), radius, style)
        });
        chart
            .draw_series(points)?
            .label(program)
            .legend(move |(x, y)| Circle::new((x + 8, y), 4, color.filled()));
    }
    let position = SeriesLabelPosition::LowerRight;
    chart.configure_series_labels().position(position).border_style(BLACK).background_style(WHITE).draw()?;
    area.present()?;
    Ok(())
}
