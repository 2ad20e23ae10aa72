//! Links hold whatever the order and the damage.

use proptest::prelude::*;
use ravel_format::Outline;

use super::Graph;

/// Makes a file of `uuid<parent` words.
fn file(words: &str) -> Vec<u8> {
    let line = |word: &str| {
        let (uuid, parent) = word.split_once('<').unwrap();
        let parent = if parent.is_empty() {
            "null".into()
        } else {
            format!("{parent:?}")
        };
        format!(r#"{{"type":"user","uuid":"{uuid}","parentUuid":{parent}}}"#)
    };
    words
        .split(' ')
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
        .into_bytes()
}

fn check(words: &str, expected: &str) {
    let bytes = file(words);
    let outline = Outline::from_bytes(&bytes);
    let graph = Graph::build(&outline);
    let names = |indexes: &[usize]| {
        indexes
            .iter()
            .map(|&index| outline.text(outline.entries()[index].uuid))
            .collect::<Vec<_>>()
            .join(",")
    };
    let last = graph.find("z").unwrap();
    let chain: Vec<usize> = graph.ancestors(last).collect();
    let found = format!(
        "chain {} · orphans {} · duplicates {} · cycles {}",
        names(&chain),
        names(graph.orphans()),
        names(graph.duplicates()),
        names(graph.cycles())
    );
    assert_eq!(found, expected, "{words}");
}

#[test]
fn chains_are_walked_whatever_happened_to_them() {
    check(
        "a< b<a z<b",
        "chain z,b,a · orphans  · duplicates  · cycles ",
    );
    check(
        "z<b b<a a<",
        "chain z,b,a · orphans  · duplicates  · cycles ",
    );
    check(
        "a< b<gone z<b",
        "chain z,b · orphans b · duplicates  · cycles ",
    );
    check(
        "a<c b<a c<b z<c",
        "chain z,c,b,a · orphans  · duplicates  · cycles a",
    );
    check("z<z", "chain z · orphans  · duplicates  · cycles z");
    check(
        "a< b< b<a z<b",
        "chain z,b,a · orphans  · duplicates b · cycles ",
    );
}

#[test]
fn a_hundred_thousand_deep_chain_is_walked() {
    let mut bytes = Vec::new();
    for n in 0..100_000_u32 {
        let parent = if n == 0 {
            "null".to_owned()
        } else {
            format!("\"u{}\"", n - 1)
        };
        bytes.extend_from_slice(
            format!("{{\"type\":\"user\",\"uuid\":\"u{n}\",\"parentUuid\":{parent}}}\n").as_bytes(),
        );
    }
    let outline = Outline::from_bytes(&bytes);
    let graph = Graph::build(&outline);
    assert_eq!(
        graph.ancestors(graph.find("u99999").unwrap()).count(),
        100_000
    );
    assert!(graph.cycles().is_empty());
}

proptest! {
    #[test]
    fn every_link_goes_both_ways(links in prop::collection::vec((0..12_u8, prop::option::of(0..14_u8)), 1..40)) {
        let words: Vec<String> = links.iter()
            .map(|(uuid, parent)| format!("{uuid}<{}", parent.map(|parent| parent.to_string()).unwrap_or_default()))
            .collect();
        let bytes = file(&words.join(" "));
        let outline = Outline::from_bytes(&bytes);
        let graph = Graph::build(&outline);
        prop_assert_eq!(graph.nodes().len() + graph.duplicates().len(), links.len());
        for &node in graph.nodes() {
            for child in graph.children(node) {
                prop_assert_eq!(graph.parent(child), Some(node));
            }
            if let Some(parent) = graph.parent(node) {
                prop_assert!(graph.children(parent).any(|child| child == node));
            }
            let chain: Vec<usize> = graph.ancestors(node).collect();
            let mut unique = chain.clone();
            unique.sort_unstable();
            unique.dedup();
            prop_assert_eq!(unique.len(), chain.len());
        }
    }
}
