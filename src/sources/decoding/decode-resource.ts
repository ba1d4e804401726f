import { keptDocumentType } from '../../domain/records/kept-document.ts';
import { pushedType } from '../../domain/records/pushed-content.ts';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { sniffResource, type Sniffed } from './sniff.ts';

/** A resource that was looked at. It exists only where sources read. */
export interface DecodedResource extends Resource, Sniffed {}

/** What was fetched: whatever the server claims, it is none of our own types. */
export async function decodeResource(resource: Resource): Promise<DecodedResource> {
  return { ...resource, ...(await sniffResource(resource.bytes, resource.declaredType, resource.finalUrl)) };
}

/** The type of our own that an original was handed over as; null for everything else, and for all that was fetched. */
export function ownTypeOf({ given, declaredType }: Pick<Original, 'given' | 'declaredType'>): string | null {
  if (!given || declaredType === null) return null;
  const type = declaredType.split(';', 1)[0] ?? '';
  return type === keptDocumentType || type === pushedType ? type : null;
}
