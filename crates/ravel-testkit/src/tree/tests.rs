use super::FileTree;

#[test]
fn a_written_tree_loads_as_it_was_and_differences_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut tree = FileTree::new();
    tree.insert("a/b.txt", "one");
    tree.insert("c.txt", "two");
    tree.write_to(folder.path()).unwrap();
    let mut loaded = FileTree::load(folder.path()).unwrap();
    assert_eq!(loaded, tree);
    loaded.insert("c.txt", "three");
    loaded.insert("d.txt", "four");
    tree.insert("e.txt", "five");
    let expected = ["different: c.txt", "missing: e.txt", "unexpected: d.txt"];
    assert_eq!(tree.differences(&loaded), expected);
    assert_eq!(tree.n_bytes(), 10);
}
