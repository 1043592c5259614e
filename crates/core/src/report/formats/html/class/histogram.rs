//! The distribution of a class's points, as bars.

use crate::case::Points;
use crate::draw::Svg;
use maud::{Markup, PreEscaped, html};

/// The most bars.
const BINS: u64 = 10;

/// Width of a bar with its margin, the greatest height, and the margins above and below.
const STEP: f64 = 44.0;
const HIGH: f64 = 110.0;
const ABOVE: f64 = 18.0;
const BELOW: f64 = 20.0;

/// The points that a bar spans, in hundredths: whole points if there are enough of them.
fn span(most: Points) -> u64 {
    let (most, one) = (most.hundredths(), Points::ONE.hundredths());
    if most >= BINS * one { most.div_ceil(BINS * one) * one } else { most.div_ceil(BINS).max(1) }
}

/// The number of submissions in each bar. One on a border counts above it; the maximum counts in the last
/// bar.
fn bins(points: &[Points], most: Points) -> Vec<usize> {
    let count = usize::try_from(most.hundredths().div_ceil(span(most))).unwrap_or(1).max(1);
    let mut bins = vec![0; count];
    for points in points {
        let bin = usize::try_from(points.hundredths() / span(most)).unwrap_or(count);
        if let Some(bin) = bins.get_mut(bin.min(count - 1)) {
            *bin += 1;
        }
    }
    bins
}

/// The histogram; `label` describes it to those who cannot see it.
pub(super) fn picture(points: &[Points], most: Points, label: &str) -> Markup {
    let bins = bins(points, most);
    let edge =
        |bin: usize| Points::from_hundredths((span(most) * bin as u64).min(most.hundredths())).to_string();
    let edges: Vec<String> = (0..=bins.len()).map(edge).collect();
    let counts: Vec<String> = bins
        .iter()
        .zip(edges.windows(2))
        .map(|(count, edges)| format!("{}: {count}", edges.join("–")))
        .collect();
    let view = format!("0 0 {} {}", STEP * bins.len() as f64 + 20.0, ABOVE + HIGH + BELOW);
    html! {
        svg.histogram viewBox=(view) role="img" aria-label={ (label) ". " (counts.join(", ")) } {
            (PreEscaped(shapes(&bins, &edges).as_str()))
        }
    }
}

/// The bars with their counts, the base line, and the points at their edges.
fn shapes(bins: &[usize], edges: &[String]) -> Svg {
    let highest = bins.iter().copied().max().unwrap_or(0).max(1) as f64;
    let mut svg = Svg::default();
    for (bin, count) in bins.iter().enumerate() {
        let height = HIGH * *count as f64 / highest;
        let (x, y) = (10.0 + STEP * bin as f64, ABOVE + HIGH - height);
        let bar = [("x", x + 2.0), ("y", y), ("width", STEP - 4.0), ("height", height), ("rx", 2.0)];
        svg.shape("rect", "column", &bar);
        if *count > 0 {
            svg.text("count", (x + STEP / 2.0, y - 5.0), &count.to_string());
        }
    }
    let end = 10.0 + STEP * bins.len() as f64;
    svg.line("ground", (10.0, ABOVE + HIGH), (end, ABOVE + HIGH));
    for (bin, edge) in edges.iter().enumerate() {
        svg.text("tick", (10.0 + STEP * bin as f64, ABOVE + HIGH + 14.0), edge);
    }
    svg
}

#[cfg(test)]
mod tests {
    use super::bins;
    use crate::case::Points;

    #[test]
    fn points_on_a_border_count_above_it_and_the_most_counts_in_the_last() {
        let points = [0, 199, 200, 1999, 2000].map(Points::from_hundredths);
        assert_eq!(bins(&points, Points::from_hundredths(2000)), [2, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
        assert_eq!(bins(&points, Points::ZERO), [5]);
    }

    #[test]
    fn bars_span_whole_points() {
        // 28 points: ten bars of three points; the last one spans more points than there are.
        let points = [299, 300, 2800].map(Points::from_hundredths);
        assert_eq!(bins(&points, Points::from_hundredths(2800)), [1, 1, 0, 0, 0, 0, 0, 0, 0, 1]);
        assert_eq!(bins(&points, Points::from_hundredths(100)).len(), 10);
    }
}
