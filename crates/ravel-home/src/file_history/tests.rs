use super::*;
use std::fs;

#[test]
fn versions_are_grouped_by_file_and_sorted_by_number() {
    let dir = tempfile::tempdir().unwrap();
    let home = Home::at(dir.path());
    let folder = home.file_history().join("s1");
    fs::create_dir_all(&folder).unwrap();
    let hash = hash_of("/srv/shop/cart.py");
    assert_eq!(hash.len(), 16);
    for version in [10, 2, 1] {
        fs::write(
            folder.join(format!("{hash}@v{version}")),
            format!("v{version}"),
        )
        .unwrap();
    }
    fs::write(folder.join("ffff@v1"), [0xff, 0]).unwrap();
    fs::write(folder.join("stray"), "").unwrap();

    let listing = file_versions(&home, "s1");
    let numbers = |hash: &str| -> Vec<u32> {
        let file = listing.items.iter().find(|file| file.hash == hash).unwrap();
        file.versions
            .iter()
            .map(|version| version.version)
            .collect()
    };
    assert_eq!(numbers(&hash), [1, 2, 10]);
    assert_eq!(numbers("ffff"), [1]);

    let read = |name: &str| read_version(&home, "s1", name).unwrap();
    assert_eq!(read(&format!("{hash}@v2")).as_deref(), Some(&b"v2"[..]));
    assert_eq!(read("ffff@v1").as_deref(), Some(&[0xff, 0][..]));
    assert_eq!(read("ffff@v7"), None);
    assert_eq!(read("stray"), None);
    assert_eq!(read_version(&home, "..", "ffff@v1").unwrap(), None);
    assert_eq!(read_version(&home, "s1", "../s1/ffff@v1").unwrap(), None);
}
