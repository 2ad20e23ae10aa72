//! Many small lists in two large ones.
//!
//! A file has hundreds of thousands of parents and tool calls, nearly all with one child and one
//! result. A list for each would spend most of its time with the allocator.

/// Items by group, in the order they were given.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Groups {
    /// Sorts pairs of group and item; groups are numbered from 0 and below `n_groups`.
    pub(crate) fn build(
        n_groups: usize,
        pairs: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> Self {
        let mut starts = vec![0_u32; n_groups + 1];
        for (group, _) in pairs.clone() {
            if let Some(count) = starts.get_mut(group + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut items = vec![0_u32; sum as usize];
        let mut next = starts.clone();
        for (group, item) in pairs {
            let slot = next.get_mut(group).filter(|_| group < n_groups);
            if let Some(slot) = slot {
                if let Some(place) = items.get_mut(*slot as usize) {
                    *place = item as u32;
                }
                *slot += 1;
            }
        }
        Self { starts, items }
    }

    /// Returns the items of a group.
    pub(crate) fn of(
        &self,
        group: usize,
    ) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + Clone + '_ {
        let bounds = self.starts.get(group).zip(self.starts.get(group + 1));
        let items = bounds.and_then(|(&start, &end)| self.items.get(start as usize..end as usize));
        items.unwrap_or_default().iter().map(|&item| item as usize)
    }
}
