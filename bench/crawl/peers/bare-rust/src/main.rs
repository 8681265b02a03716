//! bare-rust URL PAGES CONCURRENCY: a minimal crawler of good parts: reqwest, lol_html, url and a HashSet. A list
//! instead of a frontier; pages are not stored.
use lol_html::{element, HtmlRewriter, Settings};
use std::{cell::RefCell, collections::HashSet, rc::Rc, sync::Arc};
use tokio::{sync::mpsc, sync::Semaphore};
use url::Url;

fn links(html: &[u8], page: &Url) -> Vec<String> {
    let found = Rc::new(RefCell::new(Vec::new()));
    let list = found.clone();
    let settings = Settings {
        element_content_handlers: vec![element!("a[href], area[href]", move |el| {
            if let Some(href) = el.get_attribute("href") {
                if let Ok(mut url) = page.join(&href) {
                    url.set_fragment(None);
                    if matches!(url.scheme(), "http" | "https") {
                        list.borrow_mut().push(url.into());
                    }
                }
            }
            Ok(())
        })],
        ..Settings::new()
    };
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    let _ = rewriter.write(html).and_then(|()| rewriter.end());
    let links = found.borrow_mut().drain(..).collect();
    links
}

/** The links of a page; None if it is no HTML page. */
async fn fetch(client: &reqwest::Client, url: &str) -> Option<Vec<String>> {
    let response = client.get(url).send().await.ok()?;
    let is_html = response.headers().get("content-type")?.to_str().ok()?.starts_with("text/html");
    if !is_html || response.status() != 200 {
        return None;
    }
    let body = response.bytes().await.ok()?;
    Some(links(&body, &Url::parse(url).ok()?))
}

#[tokio::main]
async fn main() {
    let args: Vec<String> = std::env::args().collect();
    let (pages, concurrency): (usize, usize) = (args[2].parse().unwrap(), args[3].parse().unwrap());
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap();
    let permits = Arc::new(Semaphore::new(concurrency));
    let (send, mut results) = mpsc::unbounded_channel();
    let mut seen = HashSet::from([args[1].clone()]);
    let mut list = vec![args[1].clone()];
    let (mut next, mut active, mut fetched) = (0, 0, 0);
    loop {
        while active < concurrency && next < list.len() && fetched + active < pages {
            let (client, url, send) = (client.clone(), list[next].clone(), send.clone());
            let permit = permits.clone().acquire_owned().await.unwrap();
            (next, active) = (next + 1, active + 1);
            tokio::spawn(async move {
                let _ = send.send(fetch(&client, &url).await);
                drop(permit);
            });
        }
        if active == 0 {
            break;
        }
        let found = results.recv().await.unwrap();
        active -= 1;
        if found.is_some() {
            fetched += 1;
        }
        for url in found.unwrap_or_default() {
            if seen.insert(url.clone()) {
                list.push(url);
            }
        }
    }
}
