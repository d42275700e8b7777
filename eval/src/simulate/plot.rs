//! A few lines over twelve months, as a picture that any browser shows.

use std::fmt::Write as _;

pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) values: Vec<f64>,
}

pub(crate) struct Panel {
    pub(crate) title: &'static str,
    pub(crate) lines: Vec<Line>,
    /// The values are shares of one.
    pub(crate) percent: bool,
}

const WIDTH: f64 = 420.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 56.0;
const TOP: f64 = 34.0;
const COLOURS: [&str; 8] =
    ["#0b6e4f", "#4c78a8", "#f58518", "#e45756", "#72b7b2", "#b279a2", "#555555", "#aaaaaa"];
/// Told apart without colour, too.
const DASHES: [&str; 8] = ["", "6 3", "2 2", "8 3 2 3", "1 3", "10 4", "4 4", "3 6"];

/// The panels two by two, and below them which line is which.
pub(crate) fn svg(panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(2) as f64;
    let (width, height) = (2.0 * (WIDTH + LEFT) + 24.0, rows * (HEIGHT + TOP + 34.0) + 70.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (place, panel) in panels.iter().enumerate() {
        let left = LEFT + (place % 2) as f64 * (WIDTH + LEFT + 8.0);
        let top = TOP + (place / 2) as f64 * (HEIGHT + TOP + 34.0);
        draw(&mut out, panel, left, top);
    }
    let names = panels.first().map(|panel| &panel.lines[..]).unwrap_or_default();
    for (place, line) in names.iter().enumerate() {
        let x = LEFT + (place % 4) as f64 * 230.0;
        let y = height - 44.0 + (place / 4) as f64 * 20.0;
        let _ = writeln!(
            out,
            "<line x1=\"{x}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" {}/><text x=\"{}\" y=\"{}\">{}</text>",
            x + 34.0,
            style(place),
            x + 42.0,
            y + 4.0,
            line.name
        );
    }
    out.push_str("</svg>\n");
    out
}

fn style(place: usize) -> String {
    let (colour, dash) = (COLOURS[place % COLOURS.len()], DASHES[place % DASHES.len()]);
    format!("stroke=\"{colour}\" stroke-width=\"2\" fill=\"none\" stroke-dasharray=\"{dash}\"")
}

fn draw(out: &mut String, panel: &Panel, left: f64, top: f64) {
    let values = panel.lines.iter().flat_map(|line| line.values.iter().copied());
    let most = values.fold(0.0, f64::max);
    let most = if panel.percent { 1.0_f64.min((most * 10.0).ceil() / 10.0).max(0.1) } else { most.max(1.0) };
    let _ =
        writeln!(out, "<text x=\"{left}\" y=\"{}\" font-weight=\"bold\">{}</text>", top - 12.0, panel.title);
    for step in 0..=4 {
        let value = most * f64::from(step) / 4.0;
        let y = top + HEIGHT * (1.0 - f64::from(step) / 4.0);
        let told = if panel.percent { format!("{:.1} %", 100.0 * value) } else { format!("{value:.0}") };
        let _ = writeln!(
            out,
            "<line x1=\"{left}\" y1=\"{y}\" x2=\"{}\" y2=\"{y}\" stroke=\"#ddd\"/>\
             <text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#555\">{told}</text>",
            left + WIDTH,
            left - 6.0,
            y + 4.0
        );
    }
    let months = panel.lines.first().map_or(1, |line| line.values.len());
    let x = |month: usize| left + WIDTH * (month as f64 + 0.5) / months as f64;
    for month in 0..months {
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>",
            x(month),
            top + HEIGHT + 16.0,
            month + 1
        );
    }
    for (place, line) in panel.lines.iter().enumerate() {
        let points: Vec<String> = line
            .values
            .iter()
            .enumerate()
            .map(|(month, value)| format!("{:.1},{:.1}", x(month), top + HEIGHT * (1.0 - value / most)))
            .collect();
        let _ = writeln!(out, "<polyline points=\"{}\" {}/>", points.join(" "), style(place));
    }
}
