import type { Highlights } from '../../highlights.ts';
import type { AccountAccess } from '../account-access.ts';
import * as highlights from './highlights.ts';
import { keepHighlightPlaces, nextHighlightsToPlace } from './marks.ts';

/** The methods for highlights. A part of `createPostgresStore`. */
export function highlightsOf(access: AccountAccess): Highlights {
  return {
    listHighlights: (query) => access.read((db) => highlights.listHighlights(db, query)),
    getHighlight: (id) => access.read((db) => highlights.getHighlight(db, id)),
    addHighlight: (added) => access.writeWork((db) => highlights.addHighlight(db, added)),
    updateHighlight: (id, changes) => access.writeWork((db) => highlights.updateHighlight(db, id, changes)),
    deleteHighlight: (id) => access.writeWork((db) => highlights.deleteHighlight(db, id)),
    nextHighlightsToPlace: (limit, contentId) => access.read((db) => nextHighlightsToPlace(db, limit, contentId)),
    keepHighlightPlaces: (contentId, documentId, places) =>
      access.write((db) => keepHighlightPlaces(db, contentId, documentId, places)),
  };
}
