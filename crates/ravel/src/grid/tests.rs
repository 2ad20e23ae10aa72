use ravel_render::style::{Line, Style};

use super::{Grid, GridColumn};
use crate::table::Column;

fn grid() -> Grid {
    let column = |heading, kind, rank, cell: &str| GridColumn {
        heading,
        kind,
        rank,
        cells: vec![cell.to_owned()],
    };
    let columns = vec![
        column("day", Column::Fixed, 0, "2026-01-20"),
        column(
            "title",
            Column::Flexible,
            2,
            "A title that can be cut short",
        ),
        column("read", Column::Right, 1, "1234"),
        column("cost", Column::Right, 0, "$1.20"),
    ];
    Grid::new(columns, vec![Style::default()])
}

#[track_caller]
fn check(width: usize, expected: &[&str]) {
    let mut grid = grid();
    grid.fit(width);
    let lines = grid.lines(width);
    let texts: Vec<String> = lines.iter().map(Line::text).collect();
    assert_eq!(texts, expected, "{width}");
}

#[test]
fn texts_are_cut_and_columns_left_out_by_rank() {
    check(
        80,
        &[
            "day         title                          read   cost",
            "2026-01-20  A title that can be cut short  1234  $1.20",
        ],
    );
    check(
        46,
        &[
            "day         title                  read   cost",
            "2026-01-20  A title that can be …  1234  $1.20",
        ],
    );
    check(34, &["day         read   cost", "2026-01-20  1234  $1.20"]);
    check(18, &["day          cost", "2026-01-20  $1.20"]);
    check(5, &["day          cost", "2026-01-20  $1.20"]);
}
