/** A page of ours as one HTML text, which loads nothing. */

export interface HtmlPage {
  /** What the page may do; a page without it is told so by its server. */
  readonly policy?: string;
  /** This and the body are safe HTML. */
  readonly title: string;
  readonly style: string;
  readonly body: string;
}

export const htmlPage = ({ policy, title, style, body }: HtmlPage): string =>
  [
    `<!doctype html>`,
    `<html lang="en">`,
    `<head>`,
    `<meta charset="utf-8">`,
    ...(policy === undefined
      ? []
      : [`<meta http-equiv="Content-Security-Policy" content="${policy}">`]),
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    ...(policy === undefined ? [] : [`<meta name="referrer" content="no-referrer">`]),
    `<title>${title}</title>`,
    `<style>${style}</style>`,
    `</head>`,
    `<body>`,
    body,
    `</body>`,
    `</html>\n`,
  ].join("\n");
