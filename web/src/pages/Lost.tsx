import { Page } from "../parts/Page";

/** An address that is no page. */
export function Lost() {
  return (
    <Page title="There is no such page">
      <p>
        <a href="#/">Now</a> shows what happens, <a href="#/search">Search</a> finds memories.
      </p>
    </Page>
  );
}
