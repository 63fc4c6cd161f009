/** Office documents, which are ZIP archives (ECMA-376, OpenDocument, EPUB). */
const archives = '\\.(?:docx|xlsx|pptx|odt|epub)$';

const broken =
  'This file is broken or has a password, so it was not attached: open it in the program that made it, and save it again without a password. 文件已损坏或有密码，未能上传：请用生成它的程序打开，重新保存为不带密码的文件。';
const scan =
  'This file has no text, so it was not attached: it may be a scan. Recognize its text (OCR) first, or paste the text. 文件中没有文字，未能上传，可能是扫描件：请先进行文字识别（OCR），或直接粘贴文字。';

/**
 * The functions that say in words why a document cannot be read. Open WebUI shows the errors of its
 * libraries, and sends the question without the file.
 */
export const documentChecks = `const checkArchive = ({ name }, start) => {
  if (/${archives}/i.test(name) && String.fromCharCode(...start.slice(0, 2)) !== 'PK') return refuse(415, '${broken}');
};

/** What Open WebUI 0.12 reports of a file that it cannot read. */
const reasons = [
  [/[^"\\\\]*(?:File is not a zip file|Bad (?:magic number|CRC-32)|EOF marker not found|Stream has ended unexpectedly)[^"\\\\]*/g, '${broken}'],
  [/[^"\\\\]*The content provided is empty[^"\\\\]*/g, '${scan}'],
];
const inWords = (text) => reasons.reduce((said, [reason, words]) => said.replace(reason, words), text);

/** Returns the events of a file that is processed, with their errors in words. */
const explained = ({ body, status, headers }) => new Response(
  body.pipeThrough(new TextDecoderStream())
    .pipeThrough(new TransformStream({ transform: (text, events) => events.enqueue(inWords(text)) }))
    .pipeThrough(new TextEncoderStream()),
  { status, headers });
`;
