import type { MatchFloors } from '../../../domain/search/match-floors.ts';

/**
 * A model that `commonplace model install` can fetch: a BERT that the kernel can run, pinned to one revision and the
 * checksums of its files.
 */
export interface InstallableModel {
  name: string;
  /** Description that helps a user to choose. */
  about: string;
  licence: string;
  /** Repository and revision on the model hub. */
  repository: string;
  revision: string;
  files: Readonly<Record<'model.safetensors' | 'tokenizer.json', { bytes: number; sha256: string }>>;
  maxTokens: number;
  /** As documented by the model's authors. */
  pooling: 'mean' | 'first';
  queryPrefix: string;
  passagePrefix: string;
  /** ISO 639-1; null: any. */
  languages: readonly string[] | null;
  matchFloors: MatchFloors;
}
