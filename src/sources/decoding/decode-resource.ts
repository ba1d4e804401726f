import { unlockedDocumentType } from '../../domain/records/unlocked-document.ts';
import { pushedType } from '../../domain/records/pushed-content.ts';
import type { Original, Resource } from '../../domain/records/resource.ts';
import { sniffResource, type Sniffed } from './sniff.ts';

/** A resource with its detected type and decoded text. It exists only in the reading processes. */
export interface DecodedResource extends Resource, Sniffed {}

/** Decodes a fetched resource. It never gets one of our own types, whatever the server claims. */
export async function decodeResource(resource: Resource): Promise<DecodedResource> {
  return { ...resource, ...(await sniffResource(resource.bytes, resource.declaredType, resource.finalUrl)) };
}

/**
 * The type of an original that was handed over with one of our own types; null for all others, and for everything that
 * was fetched.
 */
export function ownTypeOf({ given, declaredType }: Pick<Original, 'given' | 'declaredType'>): string | null {
  if (!given || declaredType === null) return null;
  const type = declaredType.split(';', 1)[0] ?? '';
  return type === unlockedDocumentType || type === pushedType ? type : null;
}
