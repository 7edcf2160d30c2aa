use tiletc::{diagnostics::Sources, driver, ir::Ir};
fn main(){ let f=std::env::args().nth(1).unwrap(); let t=std::fs::read(&f).unwrap(); let mut s=Sources::new(); let id=s.add(&f,&t); let mut ir=Ir::default();
 match tiletc::syntax::parse(&mut ir,id,&t){ Ok(p)=>{print!("{}",driver::print(&ir,&p));} Err(e)=>{for d in e.diagnostics(){print!("{}",s.report(&d));}}}}
