/** What the page that is sent under a brand's domain tells the web app, as JSON in `<meta name="brand">`. */
export interface PageBrand {
  readonly name: string;
  /** Address of its logo; absent where it has none. */
  readonly logo?: string;
  readonly downloadLink?: string;
  readonly appLink?: string;
}
