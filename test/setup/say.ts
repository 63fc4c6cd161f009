/** Tells the person at the screen what the preparation does: a topic and one or more lines. */
export type Say = (topic: string, text: string) => void;

/** Prints the topic in a column of its own, further lines under the first. */
export const sayOnScreen: Say = (topic, text) => {
  const [first = '', ...more] = text.split('\n');
  console.log(`  ${topic.padEnd(column)}${first}`);
  for (const line of more) console.log(`  ${' '.repeat(column)}${line}`);
};

const column = 14;
