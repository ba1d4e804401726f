/** One step of the schema. Its number is its place in the series, counted from 1. */
export interface Migration {
  name: string;
  sql: string;
  /** Takes away or changes what programs that do not know this migration use. */
  isContraction?: boolean;
}
