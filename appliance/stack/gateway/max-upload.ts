/**
 * Maximum size of an upload in MB, which are MiB here. Open WebUI checks it before it uploads
 * (`RAG_FILE_MAX_SIZE` in `compose.yaml`). nginx accepts 1 MB more, for the form around the file.
 */
export const largestUpload = 100;
