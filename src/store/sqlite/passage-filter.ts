import type { PassageFilter } from '../store.ts';
import { deletedPassages } from './deleted.ts';
import { hasTags } from './tags.ts';

/** `AND …` for the passages of items that are not deleted, of a type and with all of some tags. */
export function filterCondition(passageId: string, filter: PassageFilter): { sql: string; parameters: unknown[] } {
  const { conditions, parameters } = hasTags('c.seq', filter.tags ?? []);
  if (filter.contentType !== undefined) conditions.push('c.content_type = ?');
  if (conditions.length === 0) return { sql: `AND ${passageId} NOT IN (${deletedPassages})`, parameters: [] };
  return {
    sql: `AND ${passageId} IN (
      SELECT fp.id FROM content c JOIN passages fp ON fp.content = c.seq
      WHERE c.deleted_at IS NULL AND ${conditions.join(' AND ')})`,
    parameters: filter.contentType === undefined ? parameters : [...parameters, filter.contentType],
  };
}
