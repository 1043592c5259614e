//! The distribution of a class's points, as bars.

use crate::case::Points;
use crate::draw::Svg;
use crate::report::words::Words;
use maud::{Markup, PreEscaped, html};

/// The most bars below the full points.
const BINS: u64 = 10;

/// Width of a bar with its margin, the greatest height, and the margins above and below.
const STEP: f64 = 44.0;
const HIGH: f64 = 110.0;
const ABOVE: f64 = 18.0;
const BELOW: f64 = 20.0;

/// The gap before the bar of the full points.
const APART: f64 = 14.0;

/// The points that a bar spans, in hundredths: whole points if there are enough of them.
fn span(most: Points) -> u64 {
    let (most, one) = (most.hundredths(), Points::ONE.hundredths());
    if most >= BINS * one { most.div_ceil(BINS * one) * one } else { most.div_ceil(BINS).max(1) }
}

/// The number of submissions in each bar. One on a border counts above it; the last bar has the full points
/// alone.
fn bins(points: &[Points], most: Points) -> Vec<usize> {
    let full = usize::try_from(most.hundredths().div_ceil(span(most))).unwrap_or(0);
    let mut bins = vec![0; full + 1];
    for points in points {
        let bin = usize::try_from(points.hundredths() / span(most)).unwrap_or(full);
        bins[if *points >= most { full } else { bin }] += 1;
    }
    bins
}

/// The histogram; `label` describes it to those who cannot see it.
pub(super) fn picture(points: &[Points], most: Points, label: &str, words: &Words) -> Markup {
    let bins = bins(points, most);
    let edge = |bin: usize| Points::from_hundredths((span(most) * bin as u64).min(most.hundredths()));
    let edges: Vec<String> = (0..bins.len()).map(|bin| words.number(edge(bin))).collect();
    let spans = edges.windows(2).map(|edges| edges.join("–")).chain(edges.last().cloned());
    let counts: Vec<String> = spans.zip(&bins).map(|(span, count)| format!("{span}: {count}")).collect();
    let view = format!("0 0 {} {}", STEP * bins.len() as f64 + 20.0 + APART, ABOVE + HIGH + BELOW);
    html! {
        svg.histogram viewBox=(view) role="img" aria-label={ (label) ". " (counts.join(", ")) } {
            (PreEscaped(shapes(&bins, &edges).as_str()))
        }
    }
}

/// The bars with their counts, the base line, and the points at their edges; below the last bar, its points.
fn shapes(bins: &[usize], edges: &[String]) -> Svg {
    let highest = bins.iter().copied().max().unwrap_or(0).max(1) as f64;
    let last = bins.len() - 1;
    let mut svg = Svg::default();
    for (bin, count) in bins.iter().enumerate() {
        let height = HIGH * *count as f64 / highest;
        let left = 10.0 + STEP * bin as f64 + if bin == last { APART } else { 0.0 };
        let y = ABOVE + HIGH - height;
        let bar = [("x", left + 2.0), ("y", y), ("width", STEP - 4.0), ("height", height), ("rx", 2.0)];
        svg.shape("rect", "column", &bar);
        if *count > 0 {
            svg.text("count", (left + STEP / 2.0, y - 5.0), &count.to_string());
        }
        svg.line("ground", (left, ABOVE + HIGH), (left + STEP, ABOVE + HIGH));
    }
    for (bin, edge) in edges[..last].iter().enumerate() {
        let x = 10.0 + STEP * bin as f64;
        svg.text("tick", (x, ABOVE + HIGH + 14.0), edge);
    }
    svg.text("tick", (10.0 + STEP * (last as f64 + 0.5) + APART, ABOVE + HIGH + 14.0), &edges[last]);
    svg
}

#[cfg(test)]
mod tests {
    use super::bins;
    use crate::case::Points;

    #[test]
    fn points_on_a_border_count_above_it_and_full_points_are_a_bar_of_their_own() {
        let points = [0, 199, 200, 1999, 2000].map(Points::from_hundredths);
        assert_eq!(bins(&points, Points::from_hundredths(2000)), [2, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(bins(&points, Points::ZERO), [5]);
    }

    #[test]
    fn bars_span_whole_points() {
        // 28 points: ten bars of three points; the last of them spans more points than there are.
        let points = [299, 300, 2700, 2800].map(Points::from_hundredths);
        assert_eq!(bins(&points, Points::from_hundredths(2800)), [1, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1]);
        assert_eq!(bins(&points, Points::from_hundredths(100)).len(), 11);
    }
}
