/** JSON Schema 2020-12, as OpenAPI 3.1 uses it. */
export type JsonSchema = { [keyword: string]: unknown };

/** An OpenAPI response object. */
export interface ApiResponse {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, { schema: JsonSchema; example?: unknown; examples?: Record<string, { value: unknown }> }>;
  /** Calls that take a value of this answer, by their operationId. */
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>;
}

export interface ApiParameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description: string;
  schema: JsonSchema;
  style?: 'form';
  explode?: false;
  example?: unknown;
}

export interface ApiOperation {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  security: Record<string, string[]>[];
  parameters?: ApiParameter[];
  requestBody?: {
    required: boolean;
    description?: string;
    content: Record<string, { schema: JsonSchema; example?: unknown }>;
  };
  responses: Record<string, ApiResponse | { $ref: string }>;
}

/** An OpenAPI 3.1 document, limited to the fields that this program writes. */
export interface OpenApiDocument {
  openapi: '3.1.0';
  info: { title: string; version: string; summary: string; description: string; license: object };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, ApiOperation>>;
  components: {
    securitySchemes: Record<string, object>;
    schemas: Record<string, JsonSchema>;
    headers: Record<string, object>;
    responses: Record<string, ApiResponse>;
  };
}
