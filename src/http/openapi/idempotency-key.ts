/** The header that a POST under /api/v1 takes, and the status with which it is refused. */
export const idempotencyKey = {
  refusal: 409,
  parameter: {
    name: 'Idempotency-Key',
    in: 'header' as const,
    required: false,
    description:
      'A key of your own for this request, such as a UUID. The same request with the same key is done once, and answered alike for a day.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    example: '8e03978e-40d5-43e8-bc93-6894a57f9324',
  },
};
