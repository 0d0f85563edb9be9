import { z } from 'zod';

/** Headers by which a client asks for a large answer that it may have already. */
export const largeAnswerHeaders = z.object({
  'If-None-Match': z.string().optional().meta({ description: 'The `ETag` of what the client has.' }),
});
