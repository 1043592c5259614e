//! Looks at an object that the cases fix, so that a session can repeat them after every change.

use super::examples::{ArgumentValue, Callee, Examples, HOLE};
use crate::case::Exercise;

/// A look at an object that needs no arguments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Watch {
    /// The class of the object.
    pub(super) class: String,
    /// The callee: of the object itself or its text, its class.
    pub(super) callee: Callee,
    /// The expression, with a hole for the object.
    pub(super) form: String,
}

impl Examples {
    /// The watches of the objects of an exercise: their views, texts, attributes, and methods without
    /// arguments, as far as some case fixes them.
    pub(super) fn watches(&self, exercise: &Exercise) -> Vec<Watch> {
        let mut watches = Vec::new();
        for (callee, fixed) in &self.fixed {
            let mut watch = |class: &String, form: String| {
                watches.push(Watch { class: class.clone(), callee: callee.clone(), form });
            };
            let has_value = fixed.value && !fixed.several;
            match callee {
                Callee::Class(class) => {
                    let is_viewed = exercise.views.contains_key(class);
                    if is_viewed && has_value || fixed.text && !is_viewed {
                        watch(class, HOLE.to_string());
                    }
                    if fixed.text && is_viewed {
                        watch(class, format!("{HOLE}.str()"));
                    }
                }
                Callee::Attribute(class, name) if has_value => watch(class, format!("{HOLE}.{name}")),
                Callee::Method(class, name) if has_value && self.takes_nothing(callee) => {
                    watch(class, format!("{HOLE}.{name}()"));
                }
                Callee::Form(form) if has_value => {
                    for args in self.calls.get(callee).into_iter().flatten() {
                        if let [given] = args.as_slice()
                            && let ArgumentValue::Object(class) = &given.given
                        {
                            watch(class, form.clone());
                        }
                    }
                }
                Callee::Attribute(..) | Callee::Method(..) | Callee::Form(_) | Callee::Function(_) => {}
            }
        }
        watches.dedup();
        watches
    }

    fn takes_nothing(&self, callee: &Callee) -> bool {
        self.calls.get(callee).is_some_and(|known| known.iter().all(Vec::is_empty))
    }
}
