import { z } from 'zod';

// Answers of Open WebUI 0.12: routers/chats.py, routers/files.py, routers/folders.py. Only the fields
// that the export needs; a chat itself is JSON that the account may have written.

const idSchema = z.string().min(1).max(200);
/** Seconds since 1970. */
const timeSchema = z.number();

/** A page of chats; an empty one is after the last. */
export const chatListSchema = z.array(z.object({ id: idSchema }));

export const chatSchema = z.object({
  id: idSchema,
  title: z.string(),
  created_at: timeSchema,
  updated_at: timeSchema,
  chat: z.record(z.string(), z.unknown()),
  archived: z.boolean().nullish(),
  pinned: z.boolean().nullish(),
  folder_id: z.string().nullish(),
  current_message_id: z.string().nullish(),
  meta: z.object({ tags: z.array(z.string()).nullish() }).nullish(),
});
export type ExportedChat = z.infer<typeof chatSchema>;

/** A page of files. An administrator gets those of all accounts. */
export const fileListSchema = z.object({
  items: z.array(
    z.object({
      id: idSchema,
      user_id: z.string(),
      filename: z.string(),
      meta: z.object({ name: z.string().nullish() }).nullish(),
    }),
  ),
});
export type ListedFile = z.infer<typeof fileListSchema>['items'][number];

export const folderListSchema = z.array(
  z.object({ id: idSchema, name: z.string(), parent_id: z.string().nullish() }),
);

/** A field of a chat that is missing, or of another form, counts as missing. */
const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.optional().catch(undefined as never);

const text = optional(z.string());

/** A part of a message: `{"type": "text", "text": "…"}`. */
const partsSchema = optional(z.array(z.object({ text }).catch({})));

export const messageSchema = z.object({
  role: z.string().catch('unknown'),
  content: optional(z.union([z.string(), z.array(z.object({ text }).catch({}))])),
  /** Since 0.12 the text of a reply may be here only. */
  output: optional(z.array(z.object({ type: text, content: partsSchema }).catch({}))),
  parentId: text,
  model: text,
  modelName: text,
  timestamp: optional(z.number()),
  files: optional(
    z.array(
      z
        .object({ id: text, name: text, type: text, file: optional(z.object({ filename: text })) })
        .catch({}),
    ),
  ),
  sources: optional(
    z.array(
      z
        .object({
          source: optional(z.object({ name: text, url: text })),
          metadata: optional(z.array(z.object({ name: text, source: text }).catch({}))),
        })
        .catch({}),
    ),
  ),
  error: optional(z.object({ content: text })),
});
export type Message = z.infer<typeof messageSchema>;

/** The messages of a chat; each is parsed with {@link messageSchema}. */
export const contentSchema = z.object({
  models: optional(z.array(z.string())),
  history: optional(
    z.object({ messages: z.record(z.string(), z.unknown()), currentId: text.nullable() }),
  ),
  /** Chats of early versions have no history. */
  messages: optional(z.array(z.unknown())),
});
