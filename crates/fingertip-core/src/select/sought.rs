//! What a driver looks for while it reads: a node that is known in part can be ruled out before the rest is asked for.

use super::query::Prepared;
use super::{By, Criterion, ElementQuery};
use crate::{Node, NodeIndex, Role, Snapshot};

bitflags::bitflags! {
    /// What was not read yet of a node, so that it may hold anything.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Unread: u8 {
        /// Its text.
        const TEXT = 1;
        /// Its description, or the hint that stands for one.
        const DESCRIPTION = 1 << 1;
        /// Its value.
        const VALUE = 1 << 2;
        /// The name its programmer gave it.
        const RESOURCE_ID = 1 << 3;
    }
}

/// What a search looks for.
#[derive(Debug, Clone)]
pub struct Sought(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Query(Prepared),
    Criterion(Criterion),
}

impl From<&ElementQuery> for Sought {
    fn from(query: &ElementQuery) -> Self {
        Self(Kind::Query(Prepared::new(query)))
    }
}

impl From<Criterion> for Sought {
    fn from(criterion: Criterion) -> Self {
        Self(Kind::Criterion(criterion))
    }
}

impl Sought {
    /// Whether the node is what is looked for.
    #[must_use]
    pub fn matches(&self, node: &Node) -> bool {
        self.admits(node, Unread::empty())
    }

    /// Whether the node can be what is looked for, whatever turns out to be in what was not read of it.
    #[must_use]
    pub fn admits(&self, node: &Node, unread: Unread) -> bool {
        match &self.0 {
            Kind::Query(query) => query.admits(node, unread),
            Kind::Criterion(criterion) => {
                let open = match criterion.by {
                    By::Text => Unread::TEXT,
                    By::ContentDesc => Unread::DESCRIPTION,
                    By::ResourceId => Unread::RESOURCE_ID,
                    By::ClassName => Unread::empty(),
                };
                unread.intersects(open) || criterion.matches(node)
            }
        }
    }

    /// The only roles that it can have, where one is asked for.
    #[must_use]
    pub fn roles(&self) -> Option<&'static [Role]> {
        match &self.0 {
            Kind::Query(query) => query.role.map(Role::kinds),
            Kind::Criterion(_) => None,
        }
    }

    /// The nodes that are looked for, in pre-order.
    pub fn find<'a>(&'a self, snapshot: &'a Snapshot) -> impl Iterator<Item = NodeIndex> + use<'a> {
        snapshot.indices().filter(|&index| self.matches(snapshot.node(index)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titled(title: &str) -> Sought {
        Sought::from(&ElementQuery { title: Some(title.into()), ..ElementQuery::default() })
    }

    #[test]
    fn what_was_not_read_may_be_what_is_looked_for() {
        let node = Node::new("Button").role(Role::Button).text("Save");
        assert!(titled("save").admits(&node, Unread::empty()));
        assert!(!titled("open").admits(&node, Unread::VALUE | Unread::RESOURCE_ID));
        assert!(titled("open").admits(&node, Unread::DESCRIPTION));
        assert!(titled("open").admits(&node, Unread::TEXT));
        let by_id = Sought::from(Criterion::new(By::ResourceId, "ok", true));
        assert!(!by_id.admits(&node, Unread::TEXT | Unread::VALUE));
        assert!(by_id.admits(&node, Unread::RESOURCE_ID));
    }

    #[test]
    fn a_role_that_is_asked_for_rules_out_all_others() {
        let query = ElementQuery { role: Some(Role::Link), ..ElementQuery::default() };
        let links = Sought::from(&query);
        assert_eq!(links.roles(), Some(&[Role::Link][..]));
        assert!(!links.admits(&Node::new("Button").role(Role::Button), Unread::all()));
        assert_eq!(titled("x").roles(), None);
    }
}
