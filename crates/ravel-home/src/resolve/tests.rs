use super::*;
use crate::discover::{Depth, discover};
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

const ONE: &str = "11111111-aaaa-4aaa-8aaa-000000000001";
const TWO: &str = "11112222-bbbb-4bbb-8bbb-000000000002";
const THREE: &str = "33333333-cccc-4ccc-8ccc-000000000003";

struct Case {
    dir: tempfile::TempDir,
    home: Home,
}

impl Case {
    fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let case = Self {
            home: Home::at(dir.path()),
            dir,
        };
        case.session("-srv-a", ONE, "Fix the login page", 100);
        case.session("-srv-a", TWO, "Write release notes", 300);
        case.session("-srv-b", THREE, "Write release notes", 200);
        fs::write(case.path("-srv-b", TWO), "").unwrap();
        case
    }

    fn path(&self, project: &str, id: &str) -> PathBuf {
        self.home
            .projects()
            .join(project)
            .join(format!("{id}.jsonl"))
    }

    fn session(&self, project: &str, id: &str, prompt: &str, age: u64) {
        let path = self.path(project, id);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let line = format!("{{\"type\":\"user\",\"message\":{{\"content\":\"{prompt}\"}}}}\n");
        fs::write(&path, line).unwrap();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(age);
        File::options()
            .append(true)
            .open(&path)
            .unwrap()
            .set_modified(time)
            .unwrap();
    }

    fn check(&self, query: &str, expect: &str) {
        self.check_in(query, &Scope::All, expect);
    }

    fn check_in(&self, query: &str, scope: &Scope, expect: &str) {
        let outcome = match resolve(&discover(&self.home, Depth::Agents), query, scope) {
            Ok(Target::Session(session)) => {
                format!("{} {}", session.project.slug, &session.session_id[..8])
            }
            Ok(Target::Agent(agent)) => {
                format!("agent {} of {:?}", agent.agent_id, agent.session_id)
            }
            Err(ResolveError::Ambiguous { candidates, .. }) => {
                format!("ambiguous {}", ids(&candidates))
            }
            Err(ResolveError::NotFound { nearest, .. }) => format!("none; near: {}", ids(&nearest)),
            Err(error) => error.to_string(),
        };
        assert_eq!(outcome, expect, "{query}");
    }
}

fn ids(candidates: &[Candidate]) -> String {
    let ids: Vec<_> = candidates.iter().map(|one| &one.session_id[..8]).collect();
    ids.join(" ")
}

#[test]
fn ids_prefixes_titles_and_latest_are_found() {
    let case = Case::new();
    case.check(ONE, "-srv-a 11111111");
    case.check(&ONE.to_uppercase(), "-srv-a 11111111");
    case.check("3", "-srv-b 33333333");
    case.check("1111", "ambiguous 11112222 11111111");
    case.check("11112", "-srv-a 11112222");
    case.check("Fix the login page", "-srv-a 11111111");
    case.check("Write release notes", "ambiguous 11112222 33333333");
    case.check("latest", "-srv-a 11112222");
}

#[test]
fn the_scope_narrows_everything() {
    let case = Case::new();
    let scope = Scope::Projects(vec![case.home.projects().join("-srv-b")]);
    case.check_in("Write release notes", &scope, "-srv-b 33333333");
    case.check_in("latest", &scope, "-srv-b 33333333");
    case.check_in("Fix the login page", &scope, "none; near: ");
    case.check_in(
        "latest",
        &Scope::Projects(Vec::new()),
        "find a session: there is none",
    );
    assert_eq!(Scope::of_directory(&case.home, Path::new("/srv/b")), scope);
}

#[test]
fn what_fits_nothing_comes_with_suggestions() {
    let case = Case::new();
    case.check("login", "none; near: 11111111");
    case.check("Fix the logon page", "none; near: 11111111");
    case.check("333x", "none; near: 33333333");
    case.check("zzzzzz", "none; near: ");
    case.check("", "none; near: ");
}

#[test]
fn paths_lead_to_sessions_folders_and_agents() {
    let case = Case::new();
    let file = case.path("-srv-a", ONE);
    let folder = file.with_extension("");
    fs::create_dir_all(folder.join("subagents")).unwrap();
    let agent = folder.join("subagents/agent-a77.jsonl");
    fs::write(&agent, "{}\n").unwrap();
    case.check(file.to_str().unwrap(), "-srv-a 11111111");
    case.check(folder.to_str().unwrap(), "-srv-a 11111111");
    case.check(
        agent.to_str().unwrap(),
        &format!("agent a77 of Some({ONE:?})"),
    );

    let elsewhere = case.dir.path().join("backup");
    fs::create_dir_all(&elsewhere).unwrap();
    fs::copy(&file, elsewhere.join("copied-session.jsonl")).unwrap();
    case.check(
        elsewhere.join("copied-session.jsonl").to_str().unwrap(),
        "backup copied-s",
    );
    let message = format!(
        "read a session at {}: a folder, but not that of a session",
        elsewhere.display()
    );
    case.check(elsewhere.to_str().unwrap(), &message);
    case.check("gone.jsonl", "read a session at gone.jsonl: no such file");
    case.check("/no/such/place", "none; near: ");
}

#[test]
fn an_agent_outside_the_home_knows_its_session_by_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let agents = dir.path().join("p").join(ONE).join("subagents/workflows/w");
    fs::create_dir_all(&agents).unwrap();
    fs::write(agents.join("agent-a5.jsonl"), "{}\n").unwrap();
    let path = agents.join("agent-a5.jsonl");
    let target = resolve(&Discovery::default(), path.to_str().unwrap(), &Scope::All).unwrap();
    let Target::Agent(agent) = target else {
        panic!("{target:?}")
    };
    assert_eq!(agent.session_id.as_deref(), Some(ONE));
    assert_eq!(agent.project.slug, "p");
}

#[test]
fn an_archived_session_is_found_by_id_title_and_its_paths() {
    let dir = tempfile::tempdir().unwrap();
    let (root, archive) = (dir.path().join("home"), dir.path().join("archive"));
    let line = concat!(
        r#"{"type":"user","message":{"role":"user","content":"Glaze the pot"}}"#,
        "\n"
    );
    let id = "0a1b2c3d-3c4e-4a57-9d38-0a4b8a1f2c11";
    let name = format!("projects/-srv-kiln/{id}.jsonl");
    let kept = crate::kept::tests::keep(&archive, &name, line.as_bytes(), 20);
    let found = crate::discover_with_archive(&Home::at(&root), Some(&archive), Depth::Sessions);
    let live = root.join(&name);
    let queries = [id, "0a1b", "Glaze the pot", "latest"].map(str::to_owned);
    let paths = [&live, &kept].map(|path| path.to_string_lossy().into_owned());
    for query in queries.iter().chain(&paths) {
        let target = resolve(&found, query, &Scope::All).unwrap();
        assert_eq!(target.path(), kept, "{query}");
        assert_eq!(target.session_id(), Some(id), "{query}");
    }
    let Ok(Target::Session(alone)) = resolve(&Discovery::default(), &paths[1], &Scope::All) else {
        panic!("a kept file is named by its path")
    };
    assert!(alone.is_archived);
    assert_eq!(
        (alone.session_id.as_str(), alone.size),
        (id, line.len() as u64)
    );
}
