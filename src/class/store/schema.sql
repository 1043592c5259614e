-- The database of a class. docs/class.md explains every table; times are seconds since 1970 (UTC), points are in hundredths.
-- `sum` is a checksum of the row, and `tally` one of the rows together: see sealed.rs.
CREATE TABLE student (
    name TEXT PRIMARY KEY,
    last_name TEXT,
    number TEXT,
    email TEXT,
    due INTEGER,
    on_roster INTEGER NOT NULL CHECK (on_roster IN (0, 1)),
    roster_ids TEXT,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE submission (
    student TEXT NOT NULL REFERENCES student (name),
    attempt INTEGER NOT NULL CHECK (attempt > 0),
    folder TEXT NOT NULL CHECK (folder <> ''),
    original TEXT NOT NULL,
    platform TEXT,
    platform_id TEXT,
    handed_in INTEGER,
    marked_late INTEGER NOT NULL CHECK (marked_late IN (0, 1)),
    files TEXT NOT NULL,
    received TEXT NOT NULL,
    chosen TEXT,
    exercise TEXT,
    language TEXT,
    problem TEXT,
    skipped TEXT,
    read_with TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (student, attempt)
) STRICT, WITHOUT ROWID;

CREATE TABLE cases (
    exercise TEXT NOT NULL,
    name TEXT NOT NULL,
    place INTEGER NOT NULL CHECK (place > 0),
    key TEXT NOT NULL,
    title TEXT NOT NULL,
    points INTEGER NOT NULL CHECK (points >= 0),
    hidden INTEGER NOT NULL CHECK (hidden IN (0, 1)),
    sum INTEGER NOT NULL,
    PRIMARY KEY (exercise, name)
) STRICT, WITHOUT ROWID;

-- What grades a language; the parts are JSON. The one of the class is current, earlier ones are kept with their verdicts.
CREATE TABLE judge (
    key TEXT PRIMARY KEY,
    language TEXT NOT NULL,
    parts TEXT NOT NULL,
    current INTEGER NOT NULL CHECK (current IN (0, 1)),
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE attempt (
    id TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    shard TEXT,
    started INTEGER NOT NULL,
    finished INTEGER,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE verdict (
    files TEXT NOT NULL,
    "case" TEXT NOT NULL,
    judge TEXT NOT NULL,
    verdict TEXT NOT NULL,
    share REAL NOT NULL CHECK (share BETWEEN 0 AND 1),
    outcome TEXT,
    gradings INTEGER NOT NULL CHECK (gradings > 0),
    attempt TEXT NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (files, "case", judge)
) STRICT, WITHOUT ROWID;

-- Two gradings that found different verdicts: the case has none until a run settles it, whose name is kept.
CREATE TABLE conflict (
    files TEXT NOT NULL,
    "case" TEXT NOT NULL,
    judge TEXT NOT NULL,
    one_attempt TEXT NOT NULL,
    one_verdict TEXT NOT NULL,
    other_attempt TEXT NOT NULL,
    other_verdict TEXT NOT NULL,
    settled TEXT,
    sum INTEGER NOT NULL,
    PRIMARY KEY (files, "case", judge)
) STRICT, WITHOUT ROWID;

CREATE TABLE by_hand (
    student TEXT PRIMARY KEY REFERENCES student (name),
    points INTEGER NOT NULL CHECK (points >= 0),
    why TEXT NOT NULL,
    at INTEGER NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- How many rows a table has, and the exclusive or of their checksums; of the verdicts, for each `files`, which is the part.
CREATE TABLE tally (
    name TEXT NOT NULL,
    part TEXT NOT NULL,
    rows INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    PRIMARY KEY (name, part)
) STRICT, WITHOUT ROWID;

-- The latest attempt of each student, which counts.
CREATE VIEW latest AS
SELECT * FROM submission AS one
WHERE attempt = (SELECT max(attempt) FROM submission AS all_of WHERE all_of.student = one.student);

-- Each case of each submission that counts, with its verdict; a case that was not run has none. A case that is not about the
-- submission, such as one of a program that it does not have, is left out.
CREATE VIEW result AS
SELECT latest.student, latest.exercise, cases.name AS "case", cases.place, cases.points AS worth, verdict.verdict, verdict.share
FROM latest
JOIN cases ON cases.exercise = latest.exercise
JOIN judge ON judge.language = latest.language AND judge.current
LEFT JOIN verdict ON verdict.files = latest.files AND verdict."case" = cases.key AND verdict.judge = judge.key
WHERE verdict.verdict IS NOT 'not counted';
