import { elementsIn, type DomDocument, type DomNode } from './dom-node.ts';

/*
 * Tabs: the labels stand in a row above panels of which a browser shows one. In a text the panels follow each other, so each
 * begins with its label.
 */

/** ARIA (Docusaurus and most others), Bootstrap, MkDocs Material, sphinx-design. */
const tabSelector =
  '[role="tab"], [data-toggle="tab"], [data-bs-toggle="tab"], .tabbed-labels > label, .tabbed-set > label, .sd-tab-set > label';
const panelSelector = '[role="tabpanel"], .tab-pane, .tabbed-block';
/** Panels that stand right after their label. */
const besideSelector = '.tabbed-content, .sd-tab-content';
const rowSelector = '[role="tablist"], .tabbed-labels, .nav';
/** In characters. A longer text is more than a label. */
const maxLabel = 60;
/** More tabs than a page has. */
const maxTabs = 400;
/** Elements above a row of tabs, one of which holds the panels, too. */
const maxAbove = 3;

/** Puts the label of each tab as a heading above what the tab shows. A tab whose panel is empty or not found stays as it is. */
export function labelTabPanels(document: DomDocument): void {
  const tabs = elementsIn(document, tabSelector).slice(0, maxTabs);
  if (tabs.length === 0) return;
  const byId = new Map<string, DomNode>();
  for (const panel of elementsIn(document, panelSelector)) {
    const id = panel.getAttribute('id') ?? '';
    if (id !== '') byId.set(id, panel);
  }
  const labelled = new Set<DomNode>();
  const within = new Map<DomNode, DomNode[]>();
  for (const [row, own] of Map.groupBy(tabs, (tab) => tab.parentNode?.closest(rowSelector) ?? tab.parentNode)) {
    const inOrder = panelsBeside(row, own.length, within);
    for (const [i, tab] of own.entries()) {
      const next = tab.nextElementSibling;
      const panel = byId.get(targetOf(tab)) ?? (next?.matches(besideSelector) === true ? next : inOrder[i]);
      const label = spaced(tab);
      if (panel === undefined || labelled.has(panel) || spaced(panel) === '') continue;
      if (label === '' || label.length > maxLabel) continue;
      labelled.add(panel);
      tab.remove();
      const own = panel.querySelector('h1, h2, h3, h4, h5, h6');
      if (own !== null && spaced(own).toLowerCase() === label.toLowerCase()) continue;
      // Below any heading of the panel itself.
      const heading = document.createElement('h6');
      heading.textContent = label;
      panel.prepend(heading);
    }
  }
}

/** The id of the panel that a tab names. */
function targetOf(tab: DomNode): string {
  const names = ['aria-controls', 'data-bs-target', 'data-target', 'href'].map((name) => tab.getAttribute(name));
  return names.find((name) => name !== null)?.replace(/^[^#]*#/, '') ?? '';
}

/** As many panels as a row has tabs, in an element that holds both; none if there are more or fewer. */
function panelsBeside(row: DomNode | null, count: number, within: Map<DomNode, DomNode[]>): DomNode[] {
  let scope = row?.parentNode ?? null;
  for (let level = 0; level < maxAbove && scope !== null; level += 1, scope = scope.parentNode) {
    // Rows that stand beside each other share the search.
    const panels = within.get(scope) ?? outerPanels(scope);
    within.set(scope, panels);
    if (panels.length === count) return panels;
    if (panels.length > count) return [];
  }
  return [];
}

/** The panels in an element that lie in no other panel of it: panels may hold tabs of their own. */
function outerPanels(scope: DomNode): DomNode[] {
  const all = new Set(scope.querySelectorAll(panelSelector));
  return [...all].filter(({ parentNode }) => {
    const above = parentNode?.closest(panelSelector) ?? null;
    return above === null || !all.has(above);
  });
}

function spaced(element: DomNode): string {
  return (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
}
