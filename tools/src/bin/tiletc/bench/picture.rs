//! A picture of figures: operations a second below the roofline, and a bar of time for each row.

use super::figures::Row;
use super::report::duration;
use crate::common::Failure;
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;
use tiletc::status::Status;

const WIDTH: u32 = 960;
const ROOFLINE_HEIGHT: u32 = 440;
/// Height of a row among the bars, and of a line of the legend.
const BAR: u32 = 24;
const LINE: u32 = 18;
/// Dark enough on white, and apart for colour-blind people (after Okabe and Ito, without the yellow).
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 128, 96),
    RGBColor(160, 70, 130),
    RGBColor(0, 0, 0),
    RGBColor(150, 100, 0),
    RGBColor(60, 130, 190),
];

/// A picture.
#[derive(Debug)]
pub struct Picture {
    /// The picture as SVG.
    pub svg: String,
    /// The pixels in x and y of each chart.
    #[cfg_attr(not(test), allow(dead_code))]
    charts: Vec<(Range<i32>, Range<i32>)>,
}

/// Draws the figures.
pub fn draw(rows: &[Row]) -> Result<Picture, Failure> {
    let mut picture = Picture { svg: String::new(), charts: Vec::new() };
    let charts = paint(rows, &mut picture.svg)
        .map_err(|error| Failure::Failed(Status::FileIoError, format!("cannot draw the picture: {error}")))?;
    picture.charts = charts;
    Ok(picture)
}

/// Lines of a roofline.
struct Roofline {
    product: &'static str,
    /// Operations and bytes a second.
    peak: f64,
    memory: f64,
}

/// A point below the rooflines: its number, operations a byte, and operations a second.
type Point = (usize, f64, f64);

fn color(place: usize) -> RGBColor {
    COLORS.get(place % COLORS.len()).copied().unwrap_or(BLACK)
}

type Charts = Vec<(Range<i32>, Range<i32>)>;

fn paint(rows: &[Row], text: &mut String) -> Result<Charts, Box<dyn Error>> {
    let points: Vec<Point> = rows
        .iter()
        .enumerate()
        .filter_map(|(place, row)| Some((place, row.work.operations()? / row.work.bytes, row.rate()?)))
        .filter(|(_, intensity, rate)| intensity.is_finite() && *rate > 0.0)
        .collect();
    let mut rooflines: Vec<Roofline> = Vec::new();
    for (place, _, _) in &points {
        let Some(row) = rows.get(*place) else { continue };
        let Some((peak, operations)) = row.peak.and_then(|peak| Some((peak, row.work.peak(peak)?))) else {
            continue;
        };
        let is_known =
            |known: &Roofline| known.product == peak.product && known.peak.total_cmp(&operations).is_eq();
        if !rooflines.iter().any(is_known) {
            rooflines.push(Roofline { product: peak.product, peak: operations, memory: peak.memory * 1e9 });
        }
    }
    let count = u32::try_from(rows.len())?;
    let legend = LINE * (count + u32::try_from(rooflines.len())? + 1);
    let top = if points.is_empty() { 0 } else { ROOFLINE_HEIGHT };
    let bars = BAR * count + 90;
    let area = SVGBackend::with_string(text, (WIDTH, top + bars + legend)).into_drawing_area();
    area.fill(&WHITE)?;
    let (upper, rest) = area.split_vertically(top);
    let (middle, lower) = rest.split_vertically(bars);
    let mut charts = Vec::new();
    if !points.is_empty() {
        charts.push(paint_roofline(&upper, &points, &rooflines)?);
    }
    charts.push(paint_bars(&middle, rows)?);
    paint_legend(&lower, rows, &rooflines)?;
    area.present()?;
    Ok(charts)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// A logarithmic axis with room around all values.
fn around(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (least, most) =
        values.fold((f64::INFINITY, 0.0f64), |(least, most), value| (least.min(value), most.max(value)));
    least / 3.0..most * 3.0
}

fn paint_roofline(
    area: &Area<'_>,
    points: &[Point],
    rooflines: &[Roofline],
) -> Result<(Range<i32>, Range<i32>), Box<dyn Error>> {
    let ridges = rooflines.iter().map(|line| line.peak / line.memory);
    let x = around(points.iter().map(|(_, intensity, _)| *intensity).chain(ridges));
    let peaks = rooflines.iter().map(|line| line.peak / 1e9);
    let y = around(points.iter().map(|(_, _, rate)| rate / 1e9).chain(peaks));
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(x.clone().log_scale(), y.clone().log_scale())?;
    chart
        .configure_mesh()
        .x_desc("operations a byte of compulsory traffic")
        .y_desc("GFLOP/s")
        .light_line_style(WHITE)
        .draw()?;
    for (place, Roofline { peak, memory, .. }) in rooflines.iter().enumerate() {
        // The slope begins where it enters the chart, at the left or at the bottom.
        let start = x.start.max(y.start * 1e9 / memory);
        let roof = |x: f64| (x, peak.min(memory * x) / 1e9);
        let line = [start, peak / memory, x.end].map(roof);
        chart.draw_series(LineSeries::new(line, style_of(place)))?;
    }
    for &(place, intensity, rate) in points {
        let at = (intensity, rate / 1e9);
        chart.draw_series([Circle::new(at, 5, color(place).filled())])?;
        let label =
            Text::new((place + 1).to_string(), (7, -7), ("sans-serif", 13).into_font().color(&color(place)));
        chart.draw_series([EmptyElement::at(at) + label])?;
    }
    Ok(chart.plotting_area().get_pixel_range())
}

/// Style of a roofline: grey, the thicker the later.
fn style_of(place: usize) -> ShapeStyle {
    RGBColor(90, 90, 90).stroke_width(2 + u32::try_from(place).unwrap_or(0))
}

fn paint_bars(area: &Area<'_>, rows: &[Row]) -> Result<(Range<i32>, Range<i32>), Box<dyn Error>> {
    let upper =
        |row: &Row| row.measurement.times.interval.map_or(row.measurement.times.median, |(_, upper)| upper);
    let most = rows.iter().map(upper).fold(0.0, f64::max);
    // Without a time at all there is an axis all the same.
    let most = if most > 0.0 { most } else { 1e-9 };
    let (scale, unit) = [(1.0, "s"), (1e-3, "ms"), (1e-6, "µs")]
        .into_iter()
        .find(|(scale, _)| most >= *scale)
        .unwrap_or((1e-9, "ns"));
    let count = f64::from(u32::try_from(rows.len())?);
    let mut chart = ChartBuilder::on(area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..1.25 * most / scale, 0.0..count)?;
    // The bars have the numbers of the legend instead of an axis.
    let x_name = format!("median of the time in {unit}, and its 95 % interval");
    chart.configure_mesh().disable_y_mesh().y_labels(0).x_desc(x_name).light_line_style(WHITE).draw()?;
    let mut below = count;
    for (place, row) in rows.iter().enumerate() {
        below -= 1.0;
        let (median, color) = (row.measurement.times.median / scale, color(place));
        chart.draw_series([Rectangle::new([(0.0, below + 0.2), (median, below + 0.8)], color.filled())])?;
        if let Some((lower, upper)) = row.measurement.times.interval {
            let ends = [lower, upper].map(|end| (end / scale, below + 0.5));
            chart.draw_series(LineSeries::new(ends, RGBColor(90, 90, 90).stroke_width(3)))?;
        }
        let at = (upper(row) / scale, below + 0.5);
        let label = format!("{}: {}", place + 1, duration(row.measurement.times.median));
        let font = ("sans-serif", 13).into_font().color(&BLACK);
        chart.draw_series([EmptyElement::at(at) + Text::new(label, (6, -7), font)])?;
    }
    Ok(chart.plotting_area().get_pixel_range())
}

fn paint_legend(area: &Area<'_>, rows: &[Row], rooflines: &[Roofline]) -> Result<(), Box<dyn Error>> {
    let mut y = 0;
    let font = ("sans-serif", 13).into_font().color(&BLACK);
    let line = i32::try_from(LINE)?;
    for (place, row) in rows.iter().enumerate() {
        let color = color(place);
        area.draw(&Rectangle::new([(72, y + 2), (84, y + 14)], color.filled()))?;
        area.draw(&Text::new(format!("{}: {}", place + 1, row.name()), (92, y + 2), font.clone()))?;
        y += line;
    }
    for (place, Roofline { product, peak, memory }) in rooflines.iter().enumerate() {
        area.draw(&PathElement::new([(66, y + 8), (84, y + 8)], style_of(place)))?;
        let (peak, memory) = (peak / 1e9, memory / 1e9);
        let name = format!("published peaks of {product}: {peak:.0} GFLOP/s, {memory:.1} GB/s");
        area.draw(&Text::new(name, (92, y + 2), font.clone()))?;
        y += line;
    }
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::super::figures::tests::row;
    use super::super::work::Work;
    use super::*;

    /// The numbers of an attribute in the elements of a name.
    fn attribute(svg: &str, element: &str, name: &str) -> Vec<f64> {
        let start = format!("<{element} ");
        let elements = svg.split(&start).skip(1);
        let value = |element: &str| {
            let (_, rest) =
                element.split_once(&format!(" {name}=\"")).or(element.split_once(&format!("{name}=\"")))?;
            rest.split_once('"')?.0.parse().ok()
        };
        elements.filter_map(|element| value(element.split('>').next()?)).collect()
    }

    fn rows() -> Vec<Row> {
        let mut rows: Vec<Row> = [(1e-9, 1e3, 1e3), (1e-3, 1e9, 1e6), (2.5, 1e6, 1e12), (1e-4, 1e12, 1.0)]
            .into_iter()
            .map(|(seconds, work, bytes)| row(seconds, Work::known(work, bytes), Some("Max 1550")))
            .collect();
        rows.push(row(1.0, Work::known(0.0, 1e6), None));
        rows.extend((0..20).map(|_| row(1e-3, Work::known(1e9, 1e9), Some("B580"))));
        rows
    }

    #[test]
    fn every_point_lies_within_the_axes() {
        let Picture { svg, charts } = draw(&rows()).unwrap();
        let [(x, y), (bars_x, bars_y)] = charts.as_slice() else { panic!("{charts:?}") };
        let within =
            |range: &Range<i32>, value: f64| value >= range.start.into() && value <= range.end.into();
        // What lies outside is drawn on the edge, where nothing of this has to be.
        let inside = |range: &Range<i32>, value: f64| {
            value > f64::from(range.start) + 1.0 && value < f64::from(range.end) - 1.0
        };
        let (circles_x, circles_y) = (attribute(&svg, "circle", "cx"), attribute(&svg, "circle", "cy"));
        assert_eq!((circles_x.len(), circles_y.len()), (24, 24), "one has no operations");
        assert!(circles_x.iter().all(|&at| inside(x, at)), "{circles_x:?} {x:?}");
        assert!(circles_y.iter().all(|&at| inside(y, at)), "{circles_y:?} {y:?}");
        // The first rectangle is the ground, the last are the legend.
        let rectangles = |name| attribute(&svg, "rect", name);
        let all = rectangles("x")
            .into_iter()
            .zip(rectangles("y"))
            .zip(rectangles("width").into_iter().zip(rectangles("height")));
        let bars: Vec<_> = all.skip(1).take(25).collect();
        assert_eq!(bars.len(), 25);
        for ((left, top), (width, height)) in bars {
            assert!(
                within(bars_x, left) && left + width < f64::from(bars_x.end) - 1.0,
                "{left} {width} {bars_x:?}"
            );
            assert!(inside(bars_y, top) && inside(bars_y, top + height), "{top} {height} {bars_y:?}");
        }
        // The axes are black.
        let lines = svg.split("<polyline ").skip(1).filter(|line| line.contains("stroke=\"#5A5A5A\""));
        let points = lines.filter_map(|line| line.split_once("points=\"")?.1.split('"').next());
        let points: Vec<&str> = points.flat_map(str::split_whitespace).collect();
        assert!(points.len() >= 25 * 2 + 2 * 3, "{points:?}");
        for point in points {
            let (left, top) = point.split_once(',').unwrap();
            let (left, top) = (left.parse().unwrap(), top.parse().unwrap());
            let is_within = |(x, y): &(Range<i32>, Range<i32>)| within(x, left) && within(y, top);
            let is_legend = top > f64::from(bars_y.end);
            assert!(charts.iter().any(is_within) || is_legend, "{point} is outside of {charts:?}");
        }
    }

    #[test]
    fn every_series_is_in_the_legend() {
        let rows = rows();
        let svg = draw(&rows).unwrap().svg;
        for (place, row) in rows.iter().enumerate() {
            assert!(svg.contains(&format!("{}: {}", place + 1, row.name())), "{place}");
        }
        for product in ["one stack of a Data Center GPU Max 1550", "Arc B580"] {
            assert_eq!(svg.matches(&format!("published peaks of {product}")).count(), 1);
        }
    }

    #[test]
    fn without_operations_there_are_bars_alone() {
        let Picture { svg, charts } = draw(&[row(1.0, Work::known(0.0, 1e6), None)]).unwrap();
        assert_eq!((charts.len(), attribute(&svg, "circle", "cx").len()), (1, 0));
        assert!(svg.contains("a,b.ir BM=32, f, opencl, cold") && svg.contains("95 % interval"));
    }
}
