//! Who handed in the same, byte for byte.

use super::page::Page;
use crate::report::formats::html::link::linked;
use crate::report::formats::html::shown::Shown;
use maud::{Markup, html};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The most groups that are not folded.
const MOST_GROUPS: usize = 12;

impl Page<'_> {
    /// The groups of submissions that are the same; empty if no student's submission is another's.
    pub(super) fn twins(&self) -> Markup {
        let groups = self.same_groups();
        let (first, more) = groups.split_at(groups.len().min(MOST_GROUPS));
        html! {
            @if !first.is_empty() {
                section id="twins" {
                    h2 { (self.words.say("html-same")) }
                    (self.group_list(first))
                    @if !more.is_empty() {
                        details {
                            summary { (self.words.count("html-more-clusters", more.len(), &[])) }
                            (self.group_list(more))
                        }
                    }
                }
            }
        }
    }

    pub(super) fn has_twins(&self) -> bool {
        let mut hand_ins = self.reports.iter().filter_map(|report| report.hand_in.as_deref());
        hand_ins.any(|hand_in| !hand_in.same.is_empty())
    }

    /// Sets of submissions that are the same, the largest first. Two of a large set may name each other only
    /// through others, as a report does not name all.
    fn same_groups(&self) -> Vec<BTreeSet<&str>> {
        let mut neighbours: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for report in self.reports {
            for other in report.hand_in.iter().flat_map(|hand_in| &hand_in.same) {
                neighbours.entry(&report.name).or_default().insert(other);
                neighbours.entry(other).or_default().insert(&report.name);
            }
        }
        let mut groups = Vec::new();
        while let Some((first, mut open)) = neighbours.pop_first() {
            let mut group = BTreeSet::from([first]);
            while let Some(next) = open.pop_first() {
                group.insert(next);
                open.extend(neighbours.remove(next).unwrap_or_default());
            }
            groups.push(group);
        }
        groups.sort_by_key(|group| Reverse(group.len()));
        groups
    }

    fn group_list(&self, groups: &[BTreeSet<&str>]) -> Markup {
        html! {
            ol.clusters.twins {
                @for group in groups {
                    li {
                        strong.size { (group.len()) }
                        ul.names {
                            @for name in group {
                                @let index = self.index_of.get(name);
                                @let address = index.map(|index| self.submission(*index));
                                li { (linked(address.as_deref(), Shown(name))) }
                            }
                        }
                    }
                }
            }
        }
    }
}
