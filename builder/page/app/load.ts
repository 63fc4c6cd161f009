/*
 * Decompresses the program of the page and runs it. The policy of the page allows only its exact text, by its hash.
 */
const packed = document.getElementById('program')?.textContent ?? '';
const bytes = Uint8Array.from(atob(packed), (character) => character.charCodeAt(0));
const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
const script = document.createElement('script');
new Response(stream).text().then((program) => {
  script.textContent = program;
  document.body.append(script);
});

export {};
