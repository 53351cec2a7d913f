"""The graph edit distance of two small maps, exact, by branch and bound. Search steps limit it, never time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx

MAX_GRAPH_NODES = 10
MAX_SEARCH_STEPS = 200_000
"""Beyond these no distance is computed: the search is exponential, and a score must not depend on the machine."""

EdgeTuple = tuple[tuple[int, int], ...]


@lru_cache(maxsize=4096)  # turns and episodes state the same shapes again and again
def compute_edit_distance(size: int, edges: EdgeTuple, other_node_count: int, other_edges: EdgeTuple) -> int | None:
    """Return the edit distance of two graphs (node counts, edges); None beyond MAX_GRAPH_NODES or MAX_SEARCH_STEPS.

    Every insertion or deletion of a node or an edge costs 1, as in the source.
    """
    if max(size, other_node_count) > MAX_GRAPH_NODES:
        return None
    import networkx as nx

    graph, other_graph = nx.Graph(edges), nx.Graph(other_edges)
    graph.add_nodes_from(range(size))
    other_graph.add_nodes_from(range(other_node_count))
    if nx.faster_could_be_isomorphic(graph, other_graph) and nx.is_isomorphic(graph, other_graph):
        return 0
    return (
        _compute_edit_distance(graph, other_graph)
        if size <= other_node_count
        else _compute_edit_distance(other_graph, graph)
    )


def _compute_edit_distance(small_graph: nx.Graph, large_graph: nx.Graph) -> int | None:
    """Branch and bound over assignments of the smaller graph's nodes to the larger one's.

    With unit costs and equal labels there is an optimal assignment that maps every node of the smaller graph: deleting
    a node and inserting another never costs less than mapping it. So the node part is the difference in size.
    """
    ordered_nodes = _order_by_connection(small_graph)
    max_cost = len(large_graph) - len(small_graph) + small_graph.number_of_edges() + large_graph.number_of_edges()
    best_cost = max_cost
    assigned_nodes: dict[Any, Any] = {}
    step_count = 0

    def assign_nodes(node_index: int, shared_edges: int) -> bool:
        """Assign the nodes from `node_index` on; return False when the limit of steps is reached."""
        nonlocal best_cost, step_count
        step_count += 1
        if step_count > MAX_SEARCH_STEPS:
            return False
        if node_index == len(ordered_nodes):
            best_cost = min(best_cost, max_cost - 2 * shared_edges)
            return True
        open_edge_count = sum(
            1
            for first_node, second_node in small_graph.edges
            if first_node not in assigned_nodes or second_node not in assigned_nodes
        )
        if max_cost - 2 * (shared_edges + open_edge_count) >= best_cost:
            return True
        node = ordered_nodes[node_index]
        images = [assigned_nodes[neighbour] for neighbour in small_graph.neighbors(node) if neighbour in assigned_nodes]
        taken_nodes = set(assigned_nodes.values())
        candidates = [
            (sum(large_graph.has_edge(candidate, image) for image in images), candidate)
            for candidate in large_graph.nodes
            if candidate not in taken_nodes
        ]
        for added_edges, candidate in sorted(candidates, key=lambda pair: (-pair[0], pair[1])):
            assigned_nodes[node] = candidate
            is_complete = assign_nodes(node_index + 1, shared_edges + added_edges)
            del assigned_nodes[node]
            if not is_complete:
                return False
        return True

    return best_cost if assign_nodes(0, 0) else None


def _order_by_connection(graph: nx.Graph) -> list[Any]:
    """Return the nodes so that each comes after neighbours where possible: edges are decided early."""
    ordered_nodes: list[Any] = []
    remaining_nodes = set(graph.nodes)
    while remaining_nodes:
        placed_neighbours = {
            node: sum(node in graph[neighbour] for neighbour in ordered_nodes) for node in remaining_nodes
        }
        node = min(remaining_nodes, key=lambda node: (-placed_neighbours[node], -graph.degree(node), node))
        ordered_nodes.append(node)
        remaining_nodes.remove(node)
    return ordered_nodes
