/** The style of a text on a terminal with colours. */
export type TextStyle = 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan' | 'magenta' | 'blue';

/** Applies a terminal style to a text. */
export type Paint = (style: TextStyle, text: string) => string;

/** Returns a text unstyled. */
export const unpainted: Paint = (_style, text) => text;
