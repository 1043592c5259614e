//! Where random sessions come from, and who answers them.

use super::NoSessions;
use super::own::OwnSessions;
use super::own_answers::OwnAnswers;
use super::session_case::case_of;
use super::tally::UnreachedCall;
use crate::adapter::{Adapter, Dialect, Fault, Subprocess};
use crate::case::{Case, Exercise, Loaded, NamedCall};
use crate::exercises;
use crate::exercises::sessions::{self, RandomStep};
use crate::judge::reference_adapter;
use crate::languages::{self, Language};
use crate::sandbox::clock::Instant;
use crate::value::choices::Choice;
use crate::value::random::Random;
use std::collections::BTreeSet;
use std::path::Path;

/// Makes the random sessions of an exercise, and answers them.
pub struct Answerer<'a> {
    /// The exercise.
    pub exercise: &'a Exercise,
    sessions: Sessions<'a>,
    reference: Box<dyn Adapter + 'a>,
}

/// A random session, and the choices that made it.
#[derive(Clone, Debug)]
pub struct RandomSession {
    /// The steps, in order.
    pub steps: Vec<RandomStep>,
    /// The choices.
    pub choices: Vec<Choice>,
}

/// The source of sessions.
enum Sessions<'a> {
    /// A built-in exercise, whose reference is of this language.
    BuiltIn(sessions::Sessions, Dialect),
    /// The cases of an exercise with a reference of its own.
    Own(Box<OwnSessions<'a>>),
}

impl<'a> Answerer<'a> {
    /// The sessions of a built-in exercise.
    ///
    /// # Errors
    /// There are none.
    pub fn built_in(exercise: &'a Exercise) -> Result<Answerer<'a>, NoSessions> {
        let none = || NoSessions { exercise: exercise.name.clone() };
        let built_in = exercise.built_in().and_then(exercises::find).ok_or_else(none)?;
        let sessions = built_in.sessions.ok_or_else(none)?;
        let reference = Box::new(reference_adapter(exercise).map_err(|_| none())?);
        let language = languages::find(exercise.session.language()).ok_or_else(none)?;
        Ok(Answerer { exercise, sessions: Sessions::BuiltIn(sessions, Dialect::of(language)), reference })
    }

    /// Sessions like the cases of an exercise with a reference of its own at a path: `reference` are its
    /// processes, in `language`. They make only these `calls`, if they are given. `until` is when no more sessions
    /// are wanted: then they have no steps.
    ///
    /// # Errors
    /// The cases call nothing.
    pub fn own(
        loaded: &'a Loaded,
        language: &'static Language,
        path: &Path,
        reference: Subprocess<'a>,
        calls: Option<&'a BTreeSet<NamedCall>>,
        until: Option<Instant>,
    ) -> Result<Answerer<'a>, NoSessions> {
        let exercise = &loaded.exercise;
        let none = || NoSessions { exercise: exercise.name.clone() };
        let sessions = OwnSessions::new(loaded, Dialect::of(language), reference.bundle(), calls, until);
        let sessions = sessions.ok_or_else(none)?;
        let reference = Box::new(OwnAnswers::new(exercise, path, reference));
        Ok(Answerer { exercise, sessions: Sessions::Own(Box::new(sessions)), reference })
    }

    /// A random session.
    ///
    /// # Errors
    /// The reference does not run.
    pub fn session(&mut self, mut random: Random) -> Result<RandomSession, Fault> {
        let steps = match &mut self.sessions {
            Sessions::BuiltIn(sessions, _) => (sessions.random)(&mut random),
            Sessions::Own(own) => own.session(&mut random, self.reference.as_mut())?,
        };
        Ok(RandomSession { steps, choices: random.choices() })
    }

    /// Every session of `calls` calls besides the one that makes an object, if the exercise has them.
    pub fn short(&self, calls: usize) -> Box<dyn Iterator<Item = Vec<RandomStep>>> {
        match &self.sessions {
            Sessions::BuiltIn(sessions, _) => (sessions.short)(calls),
            Sessions::Own(_) => Box::new(std::iter::empty()),
        }
    }

    /// The calls of the cases of which no session so far compared an answer; none for a built-in exercise,
    /// whose sessions are made for it.
    pub fn unreached(&self) -> Vec<UnreachedCall> {
        match &self.sessions {
            Sessions::BuiltIn(..) => Vec::new(),
            Sessions::Own(own) => own.unreached(),
        }
    }

    /// The number of sessions so far with a call at which the reference did not end; none for a built-in exercise.
    pub fn endless(&self) -> u64 {
        match &self.sessions {
            Sessions::BuiltIn(..) => 0,
            Sessions::Own(own) => own.endless(),
        }
    }

    /// The case of these steps.
    ///
    /// # Errors
    /// The steps do not fit the exercise, or the reference does not run.
    pub fn case(&mut self, steps: &[RandomStep]) -> Result<Option<Case>, Fault> {
        match &self.sessions {
            Sessions::BuiltIn(_, dialect) => case_of(self.exercise, steps, self.reference.as_mut(), dialect),
            Sessions::Own(own) => own.case(steps, self.reference.as_mut()),
        }
    }
}
