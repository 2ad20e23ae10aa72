use super::put_in;

#[test]
fn placeholders_become_the_text() {
    let check = |text: &str, expected: &str| {
        let paste = |id: &str| (id == "1").then(|| "ONE [x]".to_owned());
        assert_eq!(put_in(text, paste), expected);
    };
    check("no paste", "no paste");
    check("a [Pasted text #1 +3 lines] b", "a ONE [x] b");
    check("[Pasted text #1]", "ONE [x]");
    check("[Pasted text #2 +3 lines] b", "[Pasted text #2 +3 lines] b");
    check("[Pasted text #1 \n] b", "[Pasted text #1 \n] b");
    check("[Pasted text #", "[Pasted text #");
    check("[Pasted text #1 é] [Image #2]", "ONE [x] [Image #2]");
}
