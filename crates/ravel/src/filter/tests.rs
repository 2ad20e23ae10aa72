use super::ProjectFilter;

#[test]
fn below_means_whole_components() {
    let here = ProjectFilter::Below("/srv/shop".into());
    for (folder, is_wanted) in [
        ("/srv/shop", true),
        ("/srv/shop/web", true),
        ("/srv/shop-old", false),
        ("/srv", false),
        ("/mnt/srv/shop", false),
    ] {
        assert_eq!(here.admits(folder), is_wanted, "{folder}");
    }
    assert!(here.admits_slug("-srv-shop"));
    assert!(!here.admits_slug("-srv-shop-old"));
    assert!(ProjectFilter::Containing("shop".into()).admits("/srv/Shop-old"));
}

#[test]
fn a_project_is_known_by_its_folder_or_its_slug() {
    let here = ProjectFilter::Below("/srv/shop".into());
    let shops = ProjectFilter::Containing("shop".into());
    for (name, is_here, is_shop) in [
        ("/srv/shop", true, true),
        ("/srv/shop/web", true, true),
        ("/srv/shop-old", false, true),
        ("/srv/kiln", false, false),
        ("-srv-shop", true, true),
        ("-srv-shop-web", false, true),
        ("-srv-kiln", false, false),
        ("", false, false),
    ] {
        assert_eq!(here.admits_project(name), is_here, "{name}");
        assert_eq!(shops.admits_project(name), is_shop, "{name}");
    }
}
