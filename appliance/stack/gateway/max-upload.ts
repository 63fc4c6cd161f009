/**
 * Maximum size of a request in MB, which are MiB here. nginx accepts 1 MB more, for the form around a
 * file. The chat UI has the same limit, or a lower one on slow servers (`document-limits.ts`).
 */
export const maxUpload = 100;
