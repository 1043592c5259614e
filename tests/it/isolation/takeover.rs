//! A submission that takes the driver's place in its process carries nothing from the quick pass to the
//! strict form.

use super::{Course, verdicts};
use keur_core::adapter::Launcher;
use keur_core::compare::Verdict;
use keur_core::grade::Worker;
use keur_core::languages::Interpreters;
use keur_sandbox::Tier;

const EXERCISE: &str = r#"
title = "Takeover"
session = "python"
lang = "en"

[files]
python = ["takeover.py"]

[function]
first = { args = ["n"] }
then = { args = ["n"] }
"#;

/// Answers in the place of the driver in the quick pass, and gives back its own text with a table of all
/// calls as the code that it compiled, once it has seen them.
const CARRIES: &str = r#"import sys, marshal, binascii

KNOWN = {}

def first(n):
    return KNOWN.get(n, -1)

def then(n):
    return True

if __loader__.note is not None:
    frame = sys._getframe()
    while 'channel' not in frame.f_locals or 'submission' not in frame.f_locals:
        frame = frame.f_back
    channel = frame.f_locals['channel']
    text = list(frame.f_locals['submission'].finder.sources.values())[0][1].decode()
    loaded = '"loaded":{"defined":["first","then"],"names":["first","then"],"classes":[],"functions":["first","then"]}'
    calls = []
    channel.send(('{%s,"at":0}' % loaded).encode())

    def answer(request):
        if request['op'] != 'again':
            call = request['expr']
            calls.append((call['call'], call['args'][0]['value']['literal']))
            return '{"done":true,"value":0,"at":0}'
        seen = lambda name: [n for called, n in calls if called == name]
        table = dict(zip(seen('first'), seen('then')))
        known = compile(text.replace('KNOWN = {}', 'KNOWN = %r' % table, 1), 'takeover.py', 'exec')
        code = binascii.b2a_base64(marshal.dumps(known), newline=False).decode()
        return '{%s%s,"at":0}' % (loaded, ',"code":{"takeover":"%s"}' % code if len(calls) >= 6 else '')

    while True:
        request = channel.receive()
        batch = request['op'] == 'batch'
        answers = [answer(one) for one in ([__import__('json').loads(one) for one in request['requests']] if batch else [request])]
        channel.send(('{"batch":[%s]}' % ','.join(answers) if batch else answers[0]).encode())
"#;

#[test]
fn code_that_is_given_after_a_call_runs_in_no_later_process() {
    let cases = [(1, 7), (2, 4), (3, 1), (4, 8)].map(|(n, answer)| {
        let steps = format!("[[step]]\ndo = \"first({n})\"\nreturns = {answer}\n[[step]]\ndo = \"then({answer})\"\nreturns = true\n");
        (format!("c{n}"), format!("title = \"{n}\"\n{steps}"))
    });
    let cases: Vec<(&str, &str)> = cases.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let course = Course::new(EXERCISE, &cases);
    let mut worker = Worker::new(Launcher::new(Tier::default(), 0));
    let report = course.grade(("takeover.py", CARRIES), &Interpreters::default(), &mut worker);
    assert!(verdicts(&report).iter().all(|(_, verdict)| *verdict == Verdict::WrongValue), "{report:?}");
}
